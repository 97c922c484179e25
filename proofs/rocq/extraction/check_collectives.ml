(* Runs the proved checker on the integers that `python -m exactsched.kernel FILE` prints.
   Trusted: this program, Rocq's extraction to OCaml with zarith, and the reading of the problem. *)
module Integer = Z
module Ratio = Q
open Collectives

let text =
  let read = Buffer.create 65536 in
  (try while true do Buffer.add_channel read stdin 1 done with End_of_file -> ());
  Buffer.contents read
let position = ref 0
let token () =
  let length = String.length text in
  while !position < length && text.[!position] <= ' ' do incr position done;
  let start = !position in
  while !position < length && text.[!position] > ' ' do incr position done;
  if start = !position then failwith "the input ends too early";
  String.sub text start (!position - start)

let integer () = Integer.of_string (token ())
let positive () = let n = integer () in if Integer.sign n > 0 then n else failwith "not positive"
let ratio () = let qnum = integer () in let qden = positive () in { qnum; qden }
let list element = List.init (int_of_string (token ())) (fun _ -> element ())
let pair left right () = let a = left () in let b = right () in (a, b)

let ports () = match token () with "0" -> OnePort | "1" -> HalfDuplex | "2" -> Links | _ -> failwith "ports"
let arc () = let tail = integer () in let head = integer () in { tail; head; cost = ratio () }
let demand () = let from = integer () in let to0 = integer () in { from; to0; amount = ratio () }
let step () =
  let step_node = integer () in let step_first = integer () in let step_cut = integer () in
  let step_last = integer () in { step_node; step_first; step_cut; step_last; step_time = ratio () }
let interval () = pair integer integer ()
let problem () = match token () with
  | "0" -> let p = ports () in let arcs = list arc in let source = integer () in
      Multicast (p, arcs, source, list integer)
  | "1" -> let p = ports () in let arcs = list arc in Alltoall (p, arcs, list demand)
  | "2" -> let p = ports () in let arcs = list arc in let usual = ratio () in
      let sizes = list (pair interval ratio) in let steps = list step in
      let owners = list integer in Reduction (p, arcs, usual, sizes, steps, owners, list (pair interval integer))
  | _ -> failwith "problem"

let item () = match token () with
  | "0" -> Message (integer ())
  | "1" -> let first = integer () in Values (first, integer ())
  | _ -> failwith "item"
let state () = let what = item () in { what; place = integer () }
let resource () = match token () with
  | "0" -> Sends (integer ()) | "1" -> Receives (integer ()) | "2" -> Port (integer ())
  | "3" -> let tail = integer () in Link (tail, integer ())
  | "4" -> Computes (integer ())
  | _ -> failwith "resource"
let part () = pair (fun () -> list state) (fun () -> list (pair integer (fun () -> list positive))) ()
let schedule () =
  let period = ratio () in let tick = ratio () in let parts = list part in
  { period; tick; parts; slots = list (pair (pair positive integer) integer) }

let prices () =
  let resource_prices = list (pair resource integer) in
  { resource_prices; odd_prices = list (pair (fun () -> list resource) integer) }
let bound () = match token () with
  | "0" -> let cut_prices = prices () in let order = list integer in
      ByCuts { cut_prices; order; cuts = list (pair (pair integer integer) integer) }
  | "1" -> let distance_prices = prices () in let unit_of_size = positive () in
      ByDistances { distance_prices; unit_of_size;
        distances = list (pair integer (fun () -> list (pair integer integer))) }
  | "2" -> let potential_prices = prices () in
      ByPotentials { potential_prices; potentials = list (pair state (fun () -> list integer)) }
  | _ -> failwith "bound"

let shown { qnum; qden } = Ratio.to_string (Ratio.make qnum qden)
let () =
  let scheduled = token () = "1" in
  let asked = problem () in
  let plan = if scheduled then Some (schedule ()) else None in
  let witness = bound () in
  let refused what = print_endline ("refused: " ^ what); exit 1 in
  (match plan with
   | None -> ()
   | Some plan -> (match check_schedule (system_of asked) plan with
       | Some (throughput, constant) ->
           Printf.printf "throughput at least %s, constant %s\n" (shown throughput) (shown constant)
       | None -> refused "schedule"));
  match check_bound asked witness with
  | Some most -> Printf.printf "throughput at most %s\n" (shown most)
  | None -> refused "proof"
