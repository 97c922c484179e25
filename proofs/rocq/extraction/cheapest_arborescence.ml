(* Runs the proved program of algorithms/Cheapest.v. Input: the number of nodes, the root, the number of arcs, and for
   each tail, head, numerator and denominator of the cost. Output: "none", or the arcs of the tree on a line, then a
   line for each cut: its weight and its nodes.
   Trusted: this program, and Rocq's extraction to OCaml with zarith. *)
module Integer = Z
open Cheapest

let () =
  let integer () = Integer.of_string (Scanf.scanf " %s" Fun.id) in
  let number () = Integer.to_int (integer ()) in
  let size = number () in
  let root = integer () in
  let arc _ = let tail = integer () in let head = integer () in let qnum = integer () in
    let qden = integer () in
    if Integer.sign qnum < 0 || Integer.sign qden <= 0 then failwith "a cost is a fraction of at least 0";
    { tail; head; cost = { qnum; qden } } in
  let arcs = List.init (number ()) arc in
  let line words = print_endline (String.concat " " words) in
  match cheapest (List.init size Integer.of_int) arcs root with
  | None -> print_endline "none"
  | Some (tree, cuts) ->
    line (List.map Integer.to_string tree);
    List.iter (fun (nodes, weight) ->
      line (Integer.to_string weight.qnum :: Integer.to_string weight.qden :: List.map Integer.to_string nodes)) cuts
