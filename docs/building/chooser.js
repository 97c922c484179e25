// Shows one row of the table as a card: three menus, of which the later depend on the earlier.
(() => {
  const rows = [...document.querySelectorAll("#answers tbody tr")].map((row) => {
    const cells = [...row.cells].map((cell) => cell.textContent);
    return { words: cells.slice(0, 3), short: cells[3], command: cells[5],
             printed: row.dataset.printed, picture: row.querySelector("a")?.getAttribute("href") };
  });
  const place = document.getElementById("chooser");
  const menus = ["platform", "question", "ports"].map((name) => {
    const label = document.createElement("label"), menu = document.createElement("select");
    label.append(name + " ", menu);
    place.append(label);
    return menu;
  });
  const answer = document.createElement("p"), printed = document.createElement("pre");
  const command = document.createElement("code"), typed = document.createElement("p");
  const picture = document.createElement("img");
  answer.className = "answer";
  typed.append("Type: ", command);
  place.append(answer, printed, typed, picture);

  function fill(depth, wanted) {
    const chosen = menus.slice(0, depth).map((menu) => menu.value);
    const fits = rows.filter((row) => chosen.every((word, k) => row.words[k] === word));
    const names = [...new Set(fits.map((row) => row.words[depth]))];
    menus[depth].replaceChildren(...names.map((name) => new Option(name)));
    if (names.includes(wanted)) menus[depth].value = wanted;
  }
  function show(words, from = 0) {
    for (let depth = from; depth < 3; depth++) fill(depth, words[depth]);
    const chosen = menus.map((menu) => menu.value);
    const row = rows.find((row) => row.words.every((word, k) => word === chosen[k]));
    answer.textContent = row.short;
    printed.textContent = row.printed;
    command.textContent = row.command;
    picture.hidden = !row.picture;
    if (row.picture) picture.src = row.picture;
    picture.alt = "picture of the answer";
    return chosen;
  }
  const asked = () => decodeURIComponent(location.hash.slice(1)).split(";");
  menus.forEach((menu, depth) => menu.addEventListener("change", () => {
    const chosen = show(menus.map((menu) => menu.value), depth + 1);
    history.replaceState(null, "", "#" + chosen.map(encodeURIComponent).join(";"));
  }));
  addEventListener("hashchange", () => show(asked()));
  show(asked());
  place.hidden = false;
  document.getElementById("answers").open = false;
})();
