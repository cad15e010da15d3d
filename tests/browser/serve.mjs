/*
 * The page of `odim serve` in a browser. node serve.mjs ODIM SCRATCH [SHOTS]: starts the server and uses the page as a person
 * would, from the file to the download; with SHOTS, pictures of its states go into that folder. Prints what failed and last
 * "N passed, N failed".
 */
import { execFileSync, execSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { axeFaults, check, equal, finish, hostile, launch, patience, quoted, sticksOut, uniform } from "./lib.mjs";

const [odim, scratch, shots] = process.argv.slice(2);
const root = new URL("../..", import.meta.url).pathname;

/* ---- tables ---- */

/* As a spreadsheet in German writes it: semicolons, decimal commas, days first, Windows-1252. */
const makeLocal = () => {
  const lines = ["Beleg;Datum;H\xe4ndler;Menge;Preis;Betrag"];
  const money = (v) => v.toFixed(2).replace(".", ",").replace(/\B(?=(\d{3})+,)/g, ".") + " \x80";
  for (let i = 1; i <= 1200; i++) {
    const amount = 1 + Math.floor(20 * uniform()), price = 20 + 80 * uniform(), odd = i % 200 === 0;
    const day = String(1 + Math.floor(28 * uniform())).padStart(2, "0"), month = String(1 + Math.floor(12 * uniform())).padStart(2, "0");
    lines.push([`B-${10000 + i}`, `${day}.${month}.2024`, ["K\xf6hler", "M\xfcller", "Stra\xdfer"][i % 3], amount, money(price),
      money(odd ? 30 * amount * price : amount * price)].join(";"));
  }
  writeFileSync(join(scratch, "umsatz.csv"), Buffer.from(lines.join("\r\n") + "\r\n", "latin1"));
};
const makeHostile = () => {
  const lines = [["name", "<b onmouseover=alert(7)>bold</b>", "b", "kind"].map(quoted).join(",")];
  for (let i = 0; i < 300; i++) {
    const odd = i % 50 === 0;
    lines.push([quoted(odd ? hostile[i / 50] : `row ${i}`), odd ? 90 + i : uniform().toFixed(3), uniform().toFixed(3),
      quoted(odd ? hostile[(i / 50 + 1) % 6] : `<i>${i % 3}</i>`)].join(","));
  }
  writeFileSync(join(scratch, "<img src=x onerror=alert(8)>.csv"), lines.join("\n") + "\n");
};
const makeRagged = () => {
  const lines = Array.from({ length: 60 }, (_, i) => (i === 2 ? "1;2" : `${i};${uniform().toFixed(2)};${(7 * i) % 11}`));
  writeFileSync(join(scratch, "ragged.csv"), ["a;b;c", ...lines].join("\n") + "\n");
};
const makeConstant = () => writeFileSync(join(scratch, "constant.csv"), "a,b\n" + "1,2\n".repeat(50));
/* Long enough to be stopped. */
const makeLong = () => {
  const lines = ["a,b,c,d,e,f"];
  for (let i = 0; i < 40000; i++) lines.push(Array.from({ length: 6 }, () => uniform().toFixed(4)).join(","));
  writeFileSync(join(scratch, "long.csv"), lines.join("\n") + "\n");
};
makeLocal();
makeHostile();
makeConstant();
makeRagged();
makeLong();
writeFileSync(join(scratch, "empty.csv"), "");
copyFileSync(join(root, "demo/machine.csv"), join(scratch, "machine.csv"));
mkdirSync(join(scratch, "models"));

/* ---- the server and the browser ---- */

const serve = (...args) => new Promise((resolve, reject) => {
  const child = spawn(odim, ["serve", ...args], { cwd: scratch, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const hear = (bytes) => {
    said += bytes;
    const found = /http:\/\/[^\s/]+:(\d+)/.exec(said);
    if (found) resolve({ url: found[0], port: found[1], stop: () => new Promise((ended) => {
      child.once("exit", ended);
      child.kill("SIGTERM");
    }) });
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  child.once("exit", (code) => reject(new Error(`odim serve ended with ${code}: ${said}`)));
});

const browser = await launch();
const open = async (url, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, reducedMotion: "reduce", acceptDownloads: true, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(error.stack));
  page.on("dialog", (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => request.url().startsWith(url) || /^(data|blob):/.test(request.url()) || wrong.push(`asks for ${request.url()}`));
  await page.goto(url);
  return { page, wrong, close: () => context.close() };
};

/* A state of the page, light and dark, wide and narrow. */
const looked = new Set();
const look = async (page, state) => {
  const before = page.viewportSize();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [1200, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const what = `${state}, ${colorScheme}, ${width} px`;
      const over = await sticksOut(page), faults = await axeFaults(page);
      check(`${what}: nothing sticks out`, over <= 0, `${over} px`);
      check(`${what}: axe finds nothing`, faults.length === 0, faults.map((fault) => fault.text).join("; "));
      if (shots && !looked.has(what)) await page.screenshot({ path: join(shots, `serve-${state}-${colorScheme}${width < 1200 ? "-phone" : ""}.png`) });
      looked.add(what);
    }
  }
  await page.setViewportSize(before);
};

const text = (page, selector) => page.locator(selector).first().textContent();
const headline = async (page) => {
  await page.waitForSelector("#headline-count:not(:empty)");
  return (await text(page, "h1")).replace(/\s+/g, " ");
};
const listed = (page) => page.locator("#rows:not([aria-busy]) tbody tr").first().waitFor();
const rowsOf = (page) => page.$$eval("#rows tbody tr", (lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent)));
/* The list, when it is what `fine` wants: it comes from the server. */
const rowsWhen = async (page, fine) => {
  for (let tries = 0; tries < 400; tries++) {
    const rows = await rowsOf(page);
    if (fine(rows) && !(await page.getAttribute("#rows", "aria-busy"))) return rows;
    await page.waitForTimeout(50);
  }
  return rowsOf(page);
};
const search = async (page, wanted, row) => {
  await page.fill("#search", wanted);
  return (await rowsWhen(page, (rows) => rows.some((cells) => cells[0] === row.toLocaleString("en")))).find((cells) => cells[0] === row.toLocaleString("en"));
};
const whenResult = async (page) => {
  await headline(page);
  await page.waitForSelector("#score-figure svg");
  await listed(page);
};
const columnLine = (page, name) => page.locator("#columns tbody tr").filter({ has: page.locator("th", { hasText: name }) });
const reread = (page) => page.waitForResponse((answer) => answer.url().endsWith("/read") && answer.ok());
const isPressed = (page, row, mark) => page.locator(`#rows .marks[data-row="${row}"] .${mark}`).getAttribute("aria-pressed");
const download = async (page, name, file) => {
  const [got] = await Promise.all([page.waitForEvent("download"), page.click(`#downloads a:text-is("${name}")`)]);
  await got.saveAs(join(scratch, file));
  return readFileSync(join(scratch, file));
};
/* What the command on the page writes. */
const commanded = (page) => text(page, "#command").then((command) =>
  execSync(command, { cwd: scratch, env: { ...process.env, PATH: `${dirname(odim)}:${process.env.PATH}` }, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1e9 }));

let server = await serve("--port", "0", "--models", "models");

/* ---- the whole loop on the demo table ---- */

{
  const { page, wrong, close } = await open(server.url, { reducedMotion: "no-preference" });
  await page.waitForSelector("#earlier-none");
  check("demo: no runs yet", await page.isVisible("#earlier-none"));
  await look(page, "start");

  await page.click("#example");
  await page.waitForSelector("#columns tbody tr");
  equal("demo: all columns", (await page.$$("#columns tbody tr")).length, 12);
  equal("demo: the id", await columnLine(page, "time").locator("select").first().inputValue(), "id");
  equal("demo: the labels", await columnLine(page, "fault").locator("select").first().inputValue(), "label");
  check("demo: what is used", (await text(page, "#used")).includes("3,000 rows, by 10 columns"), await text(page, "#used"));
  await look(page, "table");
  await Promise.all([reread(page), columnLine(page, "air").locator("select").first().selectOption("ignored")]);
  await page.waitForSelector('#used:has-text("by 9 columns")');
  check("demo: the focus stays", await page.evaluate(() => document.activeElement.getAttribute("aria-label") === "Use of the column air"));
  await page.click("#advanced summary");
  await page.fill('[data-param="seed"]', "3");
  await page.click("#detect");

  await whenResult(page);
  await look(page, "result");

  /* Against the command. */
  const csv = await download(page, "Scores", "scores.csv");
  check("demo: the command gives the same bytes", Buffer.compare(csv, await commanded(page)) === 0, await text(page, "#command"));
  const [head, ...lines] = csv.toString().trim().split("\n").map((line) => line.split(","));
  const scores = lines.map((line) => Number(line[head.indexOf("score")])), ids = lines.map((line) => line[head.indexOf("time")] ?? line[1]);
  const flagged = lines.filter((line) => line[head.indexOf("is_outlier")] === "1").length;
  check("demo: the headline", (await headline(page)).startsWith(`${flagged} outlier`), await headline(page));
  check("demo: compared with the labels", await page.isVisible("#fact-auc") && await page.isVisible("#labels"));

  /* Any row. */
  for (const row of [1, 777, 1500, 2999, 3000]) {
    const found = await search(page, String(row), row);
    check(`demo: row ${row} is found`, Boolean(found) && Math.abs(Number(found[2]) - scores[row - 1]) < 1e-3 * Math.abs(scores[row - 1]) + 1e-6, JSON.stringify(found));
  }
  check("demo: and by its name", Boolean(await search(page, ids[1233], 1234)));
  await page.fill("#search", "no such text");
  await rowsWhen(page, (rows) => rows.length === 0);
  check("demo: nothing is found", (await text(page, "#listed")).startsWith("No row matches."));
  await page.fill("#search", "");
  await rowsWhen(page, (rows) => rows.length > 1);

  /* Sorting and paging through all rows. */
  await page.selectOption("#which", "all");
  await page.selectOption("#sort", "rpm");
  const slow = await rowsWhen(page, (rows) => rows.length === 25 && rows[0].length === 9);
  check("demo: sorted by a column", slow.every((cells, i) => !i || Number(cells[6]) >= Number(slow[i - 1][6])), JSON.stringify(slow.slice(0, 3)));
  await page.click('#rows [data-key="row"]');
  await rowsWhen(page, (rows) => rows[0]?.[0] === "1");
  equal("demo: it says so", await page.getAttribute('#rows th:has([data-key="row"])', "aria-sort"), "ascending");
  await page.click("#last-page");
  const last = await rowsWhen(page, (rows) => rows.at(-1)?.[0] === "3,000");
  equal("demo: the last page", last.at(-1)[0], "3,000");
  check("demo: nothing after it", await page.isDisabled("#next-page"));
  await page.click("#before-page");
  equal("demo: the page before", (await rowsWhen(page, (rows) => rows.at(-1)?.[0] === "2,975")).at(-1)[0], "2,975");
  await page.click('#rows [data-key="score"]');
  await rowsWhen(page, (rows) => rows.length === 25 && rows.every((cells, i) => !i || Number(cells[2]) <= Number(rows[i - 1][2])));

  /* The threshold. */
  await page.focus("#slider");
  await page.keyboard.press("Home");
  const all = Number((await text(page, "#headline-count")).replaceAll(",", ""));
  check("demo: nearly all rows above the beginning", all > 2900, all);
  await page.selectOption("#which", "outliers");
  await page.locator("#listed", { hasText: `${all.toLocaleString("en")} outliers.` }).waitFor();
  await page.click("#reset");
  await page.locator("#listed", { hasText: `${flagged} outliers.` }).waitFor();
  check("demo: the plot has the mark", (await text(page, "#threshold-mark")).includes("threshold"));

  /* The details of a row, and three marks. */
  const top = await rowsWhen(page, (rows) => rows.length > 3);
  const marked = [top[0][0], top[1][0], top[2][0]].map((row) => Number(row.replaceAll(",", "")));
  await page.click("#rows tbody tr:nth-child(1) .open");
  await page.waitForSelector("#account table");
  const account = await text(page, "#account");
  check("demo: reasons and all cells", ["expected", "usual", "share", "rpm", "winding"].every((word) => account.includes(word)), account);
  await page.click("#account .mark.outlier");
  await look(page, "row");
  await page.keyboard.press("Escape");
  equal("demo: marked in the details", await isPressed(page, marked[0], "outlier"), "true");
  await page.click(`#rows .marks[data-row="${marked[1]}"] .outlier`);
  await page.click(`#rows .marks[data-row="${marked[2]}"] .fine`);
  check("demo: the tray counts", (await text(page, "#marks-text")).includes("2 outliers, 1 fine row"), await text(page, "#marks-text"));
  await page.$eval("#list", (section) => section.scrollIntoView());
  await look(page, "marks");
  await page.reload();
  await whenResult(page);
  equal("demo: a reload keeps the marks", await isPressed(page, marked[2], "fine"), "true");
  const first = page.url();

  await page.click("#learn");
  await page.waitForSelector("#watch-h");
  check("demo: it learns from the marks", (await text(page, "h1")).startsWith("Learning from what you know"));
  await page.waitForSelector("#moved:not([hidden])");
  await whenResult(page);
  check("demo: what it was told", (await text(page, "#moved-text")).startsWith("You told it about 2 outliers and 1 fine row."), await text(page, "#moved-text"));
  await look(page, "learned");
  await page.selectOption("#which", "marked");
  const known = await rowsWhen(page, (rows) => rows.length === 3);
  check("demo: the marked rows", marked.every((row) => known.some((cells) => cells[0] === row.toLocaleString("en"))), JSON.stringify(known));
  equal("demo: they are marked", await isPressed(page, marked[0], "outlier"), "true");
  check("demo: nothing new to learn", await page.isHidden("#marks-tray"));
  const relearned = await download(page, "Scores", "learned.csv");
  check("demo: other scores than before", Buffer.compare(relearned, csv) !== 0);

  /* Rows that moved, which this table may not have. */
  await page.route("**/result", async (route) => {
    const answer = await route.fetch(), result = await answer.json();
    result.moved.now_outliers = [{ row: 17, id: "x17", before: 1.25, after: 4.5 }, { row: 18, id: null, before: 2, after: 5 }];
    result.moved.no_longer = [{ row: 2999, id: "x2999", before: 4.75, after: 0.5 }];
    result.moved.counts = { ...result.moved.counts, now_outliers: 2, no_longer: 1 };
    await route.fulfill({ response: answer, json: result });
  });
  await page.reload();
  await page.waitForSelector("#moved table");
  await whenResult(page);
  check("moved: it says what", (await text(page, "#moved-text")).endsWith("2 rows are now outliers, and 1 row is no longer an outlier."), await text(page, "#moved-text"));
  equal("moved: before and after", (await page.locator("#moved tbody tr").first().allInnerTexts()).join().replace(/\s+/g, " "), "17, x17 1.25 4.5");
  await look(page, "moved");
  await page.click("#moved tbody tr:nth-child(2) button");
  await page.locator("#account-h", { hasText: "Row 18" }).waitFor();
  await page.keyboard.press("Escape");
  check("moved: the focus is back", await page.evaluate(() => document.activeElement.textContent === "18"));
  await page.unroute("**/result");

  await page.click("#undo");
  await page.waitForSelector("#moved", { state: "hidden" });
  await whenResult(page);
  equal("demo: the run before", page.url(), first);
  check("demo: its scores", Buffer.compare(await download(page, "Scores", "again.csv"), csv) === 0);
  equal("demo: the marks are still there", await isPressed(page, marked[0], "outlier"), "true");
  await page.click("#clear-marks");
  check("demo: and can be cleared", await page.isHidden("#marks-tray"));

  /* Downloads. */
  const beside = (await download(page, "Scores with the table", "beside.csv")).toString().split("\n");
  check("demo: the table beside the scores", beside[0].includes("rpm") && beside[0].includes("score") && beside.length === 3002, beside[0]);
  const report = (await download(page, "Report", "report.html")).toString();
  check("demo: the report", report.startsWith("<!doctype html>") && report.includes("machine.csv"));
  await download(page, "Model", "machine.odim");
  check("demo: the model", execFileSync(odim, ["inspect", "machine.odim"], { cwd: scratch }).includes("rpm"));
  await page.fill("#keep-name", "pump");
  await page.click("#keep button");
  await page.locator("#kept", { hasText: "Kept." }).waitFor();
  check("demo: the model is kept", Buffer.compare(readFileSync(join(scratch, "models/pump.odim")), readFileSync(join(scratch, "machine.odim"))) === 0);
  await page.$eval("#take", (section) => section.scrollIntoView());
  await look(page, "downloads");
  await page.click("#copy-command");
  await page.locator("#copied", { hasText: "Copied." }).waitFor();
  equal("demo: the command is copied", await page.evaluate(() => navigator.clipboard.readText()), await text(page, "#command"));
  await page.click("#copy");
  await page.locator("#listed", { hasText: "copied" }).waitFor();
  check("demo: the rows are copied", (await page.evaluate(() => navigator.clipboard.readText())).startsWith("row\t"));

  /* Back and forth. */
  await page.click(".brand");
  await page.waitForSelector("#runs li");
  equal("demo: one run is left", (await page.$$("#runs li")).length, 1);
  check("demo: with its outliers", (await text(page, "#runs li")).includes(`${flagged} outlier`));
  await look(page, "runs");
  await page.goBack();
  await whenResult(page);
  check("demo: back to the result", page.url() === first);
  await page.goto(server.url);
  await page.click("#runs button");
  await page.waitForSelector("#earlier-none");
  check("demo: the run is removed", (await page.$$("#runs li")).length === 0);
  await page.goto(first);
  await page.waitForSelector("#ended-h");
  equal("demo: and is not here any more", await text(page, "h1"), "Not here any more");
  await look(page, "lost");
  const others = wrong.filter((line) => !line.includes("404"));
  check("demo: no error on the way", others.length === 0, others.join("; "));
  await close();
}

/* ---- local formats, by the keyboard alone, on a phone ---- */

{
  const { page, wrong, close } = await open(server.url, { viewport: { width: 360, height: 780 }, colorScheme: "dark" });
  const tabTo = async (selector) => {
    for (let i = 0; i < 400; i++) {
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return true;
      await page.keyboard.press("Tab");
    }
    check(`local: Tab comes to ${selector}`, false);
    return false;
  };
  const press = async (selector, key = "Enter") => (await tabTo(selector)) && page.keyboard.press(key);

  await page.waitForSelector("#file", { state: "attached" });
  /* The browser may open its dialog before the test hears of dialogs: then the key is pressed again. */
  let chosen = false;
  const chooser = new Promise((resolve) => page.once("filechooser", resolve)).finally(() => (chosen = true));
  await tabTo("#file");
  while (!chosen) {
    await page.keyboard.press("Enter");
    await Promise.race([chooser, page.waitForTimeout(5000)]);
  }
  await (await chooser).setFiles(join(scratch, "umsatz.csv"));
  await page.waitForSelector("#columns tbody tr");
  const line = async (name) => (await columnLine(page, name).textContent()).replace(/\s+/g, " ");
  check("local: letters beyond ASCII", (await line("H\xe4ndler")).includes("M\xfcller"), await line("H\xe4ndler"));
  check("local: decimal commas", (await line("Betrag")).includes("comma"), await line("Betrag"));
  equal("local: the names of the rows", await columnLine(page, "Beleg").locator("select").first().inputValue(), "id");
  check("local: dates", (await line("Datum")).includes("date"), await line("Datum"));

  /* A type, by the keyboard: to a category and back. */
  const typeOf = () => columnLine(page, "Menge").locator("select").nth(1);
  await tabTo('[aria-label="Type of the column Menge"]');
  await Promise.all([reread(page), page.keyboard.type("category")]);
  await page.locator('[aria-label="Type of the column Menge"]:focus').waitFor();
  equal("local: the type is changed", await typeOf().inputValue(), "categorical");
  await look(page, "local-table");
  await press("#advanced summary");
  await tabTo('[data-param="preset"]');
  await page.keyboard.type("fast");
  await press("#detect");
  await whenResult(page);
  check("local: the outliers", (await headline(page)).startsWith("6 outlier"), await headline(page));
  check("local: the command gives the same bytes",
    Buffer.compare(await download(page, "Scores", "local.csv"), await commanded(page)) === 0, await text(page, "#command"));
  check("local: the type is in the command", (await text(page, "#command")).includes("Menge"), await text(page, "#command"));

  await tabTo("#search");
  await page.keyboard.type("B-10400");
  await rowsWhen(page, (rows) => rows.length === 1);
  await press("#rows .open");
  await page.waitForSelector("#account table");
  check("local: the cells as they are written", /Betrag[\s\S]*,\d\d/.test(await text(page, "#account")));
  check("local: the details fit a phone", (await page.$eval("#account", (dialog) => dialog.scrollWidth - dialog.clientWidth)) <= 0);
  await page.keyboard.press("Escape");
  check("local: the focus is back", await page.evaluate(() => document.activeElement.classList.contains("open")));
  for (const [name, mark] of [["B-10400", "outlier"], ["B-10017", "fine"], ["B-10018", "fine"]]) {
    await page.focus("#search");
    await page.keyboard.press("Control+A");
    await page.keyboard.type(name);
    await rowsWhen(page, (rows) => rows.length === 1 && rows[0][1] === name);
    await press(`#rows .mark.${mark}`, "Space");
  }
  await press("#learn");
  await page.waitForSelector("#moved:not([hidden])");
  await whenResult(page);
  check("local: it has learned", (await text(page, "#moved-text")).startsWith("You told it about 1 outlier and 2 fine rows."));
  await press("#undo");
  await page.waitForSelector("#marks-tray:not([hidden])");
  await whenResult(page);
  check("local: undone", await page.isHidden("#moved"));
  check("local: no error on the way", wrong.length === 0, wrong.join("; "));
  await close();
}

/* ---- what goes wrong ---- */

{
  const { page, wrong, close } = await open(server.url);
  const choose = (name) => page.setInputFiles("#file", join(scratch, name));
  await page.waitForSelector("#file", { state: "attached" });
  await choose("empty.csv");
  await page.waitForSelector("#problem:not([hidden])");
  check("empty: it says why", (await text(page, "#problem")).length > 10);
  check("empty: another file can be chosen", await page.isVisible("#drop"));
  await look(page, "refused");

  /* While a file is sent, and while the server takes its time. */
  await page.route("**/v1/tables?*", () => {});
  await choose("machine.csv");
  await page.waitForSelector("#uploading:not([hidden])");
  check("sending: it says so", /Sending|Reading/.test(await text(page, "#uploading-text")));
  await look(page, "sending");
  await page.click("#uploading-stop");
  await page.waitForSelector("#drop:not([hidden])");
  check("sending: cancelled", await page.isHidden("#uploading"));
  await page.unroute("**/v1/tables?*");
  await page.route("**/v1/jobs/*", () => {});
  await page.goto(`${server.url}/?job=0123456789abcdef`);
  await page.locator("h1", { hasText: "One moment" }).waitFor();
  await look(page, "loading");
  await page.unroute("**/v1/jobs/*");
  await page.goto(server.url);
  await page.waitForSelector("#file", { state: "attached" });

  /* A file that cannot be read as it stands, but can with another option. */
  await choose("ragged.csv");
  await page.waitForSelector("#reading[open]");
  check("ragged: it says where", (await text(page, "#problem")).includes("row 3"), await text(page, "#problem"));
  check("ragged: nothing can be started", await page.isDisabled("#detect"));
  await look(page, "unreadable");
  await page.selectOption('[data-option="bad_rows"]', "skip");
  await page.waitForSelector("#columns tbody tr");
  check("ragged: now it is read", (await page.isHidden("#problem")) && (await page.isEnabled("#detect")));

  /* What the server does not accept. */
  await page.click("#advanced summary");
  await page.fill('[data-param="seed"]', "9e99");
  await page.click("#detect");
  await page.waitForSelector("#problem:not([hidden])");
  check("seed: the server says why", /seed/.test(await text(page, "#problem")), await text(page, "#problem"));

  /* A run that fails. */
  await page.goto(server.url);
  await choose("constant.csv");
  await page.waitForSelector("#columns tbody tr");
  await page.click("#detect");
  await page.waitForSelector("#ended-h");
  equal("constant: the run failed", await text(page, "h1"), "This run failed");
  check("constant: and why", /no usable columns/.test(await text(page, "#problem")), await text(page, "#problem"));
  await look(page, "failed");

  /* A run that is stopped. */
  await page.goto(server.url);
  await choose("long.csv");
  await page.waitForSelector("#columns tbody tr");
  await page.click("#advanced summary");
  await page.selectOption('[data-param="preset"]', "paper"); /* the slowest */
  await page.click("#detect");
  await page.waitForSelector("#losses .f0", { state: "attached" });
  await page.waitForSelector("#distance path.line", { state: "attached" });
  check("watch: it says what it does", /Learning what is usual in long\.csv/.test(await text(page, "h1")));
  await look(page, "watch");
  await page.click("#stop");
  await page.waitForSelector("#ended-h");
  equal("stopped: it says so", await text(page, "h1"), "Stopped");
  await look(page, "stopped");
  await page.click("#ended-actions .main");
  await page.waitForSelector("#columns tbody tr");

  /* The server goes and comes back. */
  await page.goto(server.url);
  await page.waitForSelector("#file", { state: "attached" });
  const { port } = server;
  await server.stop();
  await choose("machine.csv");
  await page.waitForSelector("#gone:not([hidden])");
  check("gone: it says so", (await text(page, "#gone")).includes("does not answer"));
  await look(page, "gone");
  server = await serve("--port", port, "--models", "models");
  await page.click("#gone button").catch(() => {});
  await page.waitForSelector("#gone", { state: "hidden" });
  await page.waitForSelector("#earlier-none");
  check("gone: and goes on", await page.isVisible("#drop"));
  const others = wrong.filter((line) => !/Failed to load resource|ERR_CONNECTION/.test(line));
  check("wrong: no other error", others.length === 0, others.join("; "));
  await close();
}

/* ---- a hostile table ---- */

{
  const { page, wrong, close } = await open(server.url);
  await page.waitForSelector("#file", { state: "attached" });
  await page.setInputFiles("#file", join(scratch, "<img src=x onerror=alert(8)>.csv"));
  await page.waitForSelector("#columns tbody tr");
  check("hostile: names are text", (await text(page, "#columns")).includes("<b onmouseover=alert(7)>bold</b>"));
  await page.click("#advanced summary");
  await page.selectOption('[data-param="preset"]', "fast");
  await page.click("#detect");
  await whenResult(page);
  await page.click("#rows tbody .open");
  await page.waitForSelector("#account table");
  check("hostile: cells are text", (await text(page, "#account")).includes("<b onmouseover=alert(7)>bold</b>"));
  const bad = "main img, iframe, main i, [onload], [onerror], [onclick], [onmouseover], main script, main style";
  equal("hostile: nothing was made of it", await page.evaluate((selector) => document.querySelectorAll(selector).length, bad), 0);
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'taken'";
    document.body.append(script);
  });
  check("hostile: a script that is not its own does not run", (await page.title()) !== "taken");
  const others = wrong.filter((line) => !line.includes("Content Security Policy"));
  check("hostile: no dialog, no request", others.length === 0, others.join("; "));
  await close();
}

/* ---- a token ---- */

{
  writeFileSync(join(scratch, "token"), "correct-horse-battery-staple-0123456789\n", { mode: 0o600 });
  const guarded = await serve("--port", "0", "--token-file", "token");
  const { page, close } = await open(guarded.url);
  await page.waitForSelector("#token[open]");
  await look(page, "token");
  await page.fill("#token-field", "wrong");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#token-wrong:not([hidden])");
  await page.fill("#token-field", "correct-horse-battery-staple-0123456789");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#earlier-none");
  await page.reload();
  await page.waitForSelector("#earlier-none");
  check("token: it is remembered", await page.isHidden("#token"));
  await page.setInputFiles("#file", join(scratch, "umsatz.csv"));
  await page.waitForSelector("#columns tbody tr");
  await page.click("#advanced summary");
  await page.selectOption('[data-param="preset"]', "fast");
  await page.click("#detect");
  await whenResult(page);
  check("token: downloads have it too", (await download(page, "Scores", "guarded.csv")).toString().includes("score"));
  await page.click("#keep button");
  await page.locator("#kept", { hasText: "This did not work" }).waitFor();
  await close();
  await guarded.stop();
}

/* ---- a picture in the middle of a fit ---- */

if (shots) {
  const { page, close } = await open(server.url, { reducedMotion: "no-preference" });
  await page.click("#example");
  await page.waitForSelector("#columns tbody tr");
  await page.click("#advanced summary");
  await page.selectOption('[data-param="preset"]', "paper");
  await page.click("#detect");
  await page.locator("#watch-line", { hasText: "9 of 10" }).waitFor({ timeout: 60_000 }).catch(() => {});
  await page.screenshot({ path: join(shots, "serve-watch.png") });
  await close();
}

await browser.close();
await server.stop();
finish();
