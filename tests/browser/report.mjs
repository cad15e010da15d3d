/*
 * The report in a browser. node report.mjs ODIM SCRATCH [SHOTS]: makes reports of several tables with that program and
 * uses them as a person would; with SHOTS, pictures of the first one go into that folder. Prints what failed and
 * last "N passed, N failed".
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { axeFaults, check, equal, finish, hostile, launch, patience, quoted, sticksOut, uniform } from "./lib.mjs";

const [odim, scratch, shots] = process.argv.slice(2);
const root = new URL("../..", import.meta.url).pathname;

/* ---- tables and their reports ---- */

const write = (name, lines) => writeFileSync(join(scratch, name), lines.join("\n") + "\n");

const makeLong = () => {
  const lines = ["id,a,b,c,d"];
  for (let i = 1; i <= 100000; i++) {
    const t = uniform(), odd = i % 500 === 0;
    lines.push(`r${i},${t.toFixed(4)},${(odd ? 3 * uniform() : t + 0.1 * uniform()).toFixed(4)},` +
      `${(2 * t + 0.2 * uniform()).toFixed(4)},${i % 7 ? "x" : "y"}`);
  }
  write("long.csv", lines);
};
const makeWide = () => {
  const lines = [Array.from({ length: 500 }, (_, j) => `column ${j + 1}`).join(",")];
  for (let i = 1; i <= 200; i++)
    lines.push(Array.from({ length: 500 }, (_, j) => (uniform() + (i % 40 === 0 && j < 20 ? 4 : 0)).toFixed(3)).join(","));
  write("wide.csv", lines);
};
/* One age that cannot be, many rows on each other, names that are wider than a phone. */
const makePeople = () => {
  const lines = ["id,age,number_of_children_who_live_in_the_same_household_as_the_respondent,city"];
  for (let i = 1; i <= 1200; i++)
    lines.push(`p${i},${i === 412 ? 412 : 20 + Math.floor(60 * uniform())},${Math.floor(4 * uniform())},${i % 3 ? "Bern" : "Basel"}`);
  write("people.csv", lines);
};
const makeHostile = () => {
  const lines = [["id", "<b onmouseover=alert(7)>bold</b>", "b", "kind"].map(quoted).join(",")];
  for (let i = 0; i < 300; i++) {
    const odd = i % 50 === 0;
    lines.push([quoted(odd ? hostile[i / 50] : `row ${i}`), odd ? 90 + i : uniform().toFixed(3),
      uniform().toFixed(3), quoted(odd ? hostile[(i / 50 + 1) % 6] : `<i>${i % 3}</i>`)].join(","));
  }
  write("hostile.csv", lines);
};

const run = (...args) => execFileSync(odim, args, { cwd: scratch, stdio: ["ignore", "ignore", "pipe"] });
const report = (name, file, ...args) => {
  run("detect", file, "--report", `${name}.html`, "-o", `${name}.scores.csv`, "--quiet", ...args);
  const bytes = readFileSync(join(scratch, `${name}.html`)).length;
  check(`${name}: below 2 MB`, bytes < 2e6, `${bytes} bytes`);
  return name;
};
const scoresOf = (name) => {
  const [head, ...lines] = readFileSync(join(scratch, `${name}.scores.csv`), "utf8").trim().split("\n");
  const at = head.split(",").indexOf("score");
  return lines.map((line) => Number(line.split(",").slice(at - head.split(",").length)[0]));
};

makeLong();
makeWide();
makeHostile();
makePeople();
mkdirSync(join(scratch, "washers"));
execFileSync(join(dirname(odim), "tests/make_pictures"), [join(scratch, "washers"), "200"]);
const small = ["--members", "2", "--samples", "5"];
const reports = [
  report("demo", join(root, "demo/machine.csv"), "--id", "time", "--label", "fault"),
  report("long", "long.csv", "--id", "id", ...small),
  report("wide", "wide.csv", "--hidden", "16,8", ...small),
  report("people", "people.csv", "--id", "id"),
  report("washers", "washers"),
  report("hostile", "hostile.csv", "--id", "id", ...small, "--contamination", "0.02"),
];
/* Scores without their rows. */
run("fit", "hostile.csv", "-o", "model.odim", "--ignore", "id", "--quiet", ...small);
run("report", "hostile.scores.csv", "-m", "model.odim", "-o", "bare.html", "--quiet");
reports.push("bare");

/* ---- the browser ---- */

const browser = await launch();
const open = async (name, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, reducedMotion: "reduce", ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("dialog", (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => request.url().startsWith("data:") || request.url().endsWith(`${name}.html`) || wrong.push(`asks for ${request.url()}`));
  await page.goto(`file://${join(scratch, name)}.html`);
  return { page, wrong, close: () => context.close() };
};

/* ---- every report, light and dark, wide and narrow ---- */

for (const name of reports) {
  for (const [colorScheme, width] of [["light", 1200], ["dark", 1200], ["light", 375], ["dark", 375]]) {
    const what = `${name}, ${colorScheme}, ${width} px`;
    const { page, wrong, close } = await open(name, { colorScheme, viewport: { width, height: 900 } });
    const over = await sticksOut(page);
    check(`${what}: nothing sticks out`, over <= 0, `${over} px`);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    check(`${what}: not endless`, height < 15000, `${height} px`);
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    equal(`${what}: the paper`, paper, colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(23, 25, 29)");
    const serious = (await axeFaults(page)).filter((v) => v.impact === "serious" || v.impact === "critical");
    check(`${what}: no serious fault for axe`, serious.length === 0, serious.map((v) => v.text).join("; "));
    check(`${what}: no error, no request`, wrong.length === 0, wrong.join("; "));
    if (shots && name === "demo") {
      if (colorScheme === "dark") await page.$eval("#columns", (section) => section.scrollIntoView());
      await page.screenshot({ path: join(shots, `report-${colorScheme}${width < 1200 ? "-phone" : ""}.png`) });
    }
    await close();
  }
}

/* ---- what a person does ---- */

const rowsOf = (page) => page.$$eval("#rows tbody tr", (lines) => lines.map((line) =>
  [...line.children].map((cell) => cell.textContent)));

{
  const { page, wrong, close } = await open("demo");
  const scores = scoresOf("demo");
  const data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
  const flagged = scores.filter((s) => s > data.threshold).length;
  equal("demo: rows", data.rows, scores.length);
  const headline = (outliers, unusual) => `${outliers || "No"} outlier${outliers === 1 ? "" : "s"}` +
    (unusual ? `${outliers ? " and" : ","} ${unusual} unusual row${unusual === 1 ? "" : "s"} among 3,000` : " among 3,000 rows");
  const between = (low, high) => scores.filter((s) => s > low && s <= high).length;
  equal("demo: the headline", await page.textContent("h1"), headline(flagged, between(data.unusual, data.threshold)));
  equal("demo: the list goes on below the threshold", data.list.length, 2000);
  check("demo: it says what it holds", (await page.textContent("#listed")).includes("This page contains 2,000 of 3,000 rows"));
  await page.selectOption("#which", "outliers");

  /* Sorting. */
  const column = async (index) => (await rowsOf(page)).map((row) => row[index]);
  const numbers = async (index) => (await column(index)).map((text) => Number(text.replaceAll(",", "")));
  const sorted = (values, sign) => values.every((v, i) => i === 0 || sign * (v - values[i - 1]) >= 0);
  check("demo: highest score first", sorted(await numbers(2), -1));
  await page.click('button[data-key="row"]');
  check("demo: sorted by row", sorted(await numbers(0), 1));
  equal("demo: it says so", await page.getAttribute('th:has([data-key="row"])', "aria-sort"), "ascending");
  await page.click('button[data-key="row"]');
  check("demo: and backwards", sorted(await numbers(0), -1));
  await page.focus('button[data-key="score"]');
  await page.keyboard.press("Enter");
  check("demo: by the keyboard", sorted(await numbers(2), -1));
  equal("demo: only one column is sorted", (await page.$$('th[aria-sort="ascending"], th[aria-sort="descending"]')).length, 1);

  /* Searching. */
  const first = (await rowsOf(page))[0];
  await page.fill("#search", first[1]);
  const hits = await rowsOf(page);
  check("demo: the row is found by its id", hits.length >= 1 && hits.some((row) => row[0] === first[0]));
  check("demo: all that is found has it", hits.every((row) => row[1] === first[1]));
  await page.fill("#search", "no such text");
  check("demo: nothing is found", (await page.textContent("#listed")).startsWith("No row matches."));
  const last = data.list[data.list.length - 1];
  await page.fill("#search", last.id);
  check("demo: rows below the threshold are found too", (await column(0)).includes(last.row.toLocaleString("en")));
  await page.fill("#search", "");

  /* The threshold, by the keyboard. */
  await page.focus("#slider");
  await page.keyboard.press("End");
  const beyond = data.above[1000];
  equal("demo: those beyond the end are left", await page.textContent("#headline-count"), String(beyond || "No"));
  equal("demo: what was an outlier is unusual", await page.textContent("h1"), headline(beyond, between(data.unusual, data.high)));
  check("demo: the list says so", (await page.textContent("#listed")).startsWith(beyond ? `${beyond} outlier` : "No outliers."));
  await page.keyboard.press("Home");
  equal("demo: all above the beginning", await page.textContent("#headline-count"), data.above[0].toLocaleString("en"));
  for (const step of [250, 500, 750]) {
    await page.$eval("#slider", (slider, value) => {
      slider.value = value;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }, step);
    const threshold = data.low + ((data.high - data.low) * step) / 1000;
    const want = scores.filter((s) => s > threshold).length;
    equal(`demo: rows above step ${step}`, (await page.textContent("#headline-count")).replaceAll(",", ""), String(want || "No"));
    const inList = data.list.filter((row) => row.score > threshold).length;
    equal(`demo: the list follows to step ${step}`, (await rowsOf(page)).length, Math.min(25, inList));
    const precision = await page.textContent("#precision");
    const begins = want ? `At the threshold: ${data.hits[step].toLocaleString("en")} of ` : "No row";
    check(`demo: precision at step ${step}`, precision.startsWith(begins), precision);
  }
  check("demo: the slider speaks", (await page.getAttribute("#slider", "aria-valuetext")).includes("above"));

  /* And by a click and a pull in the picture. */
  const mark = () => page.$eval("#threshold-mark path", (path) => path.getBoundingClientRect().x);
  await page.$eval("#score-figure svg", (svg) => svg.scrollIntoView({ block: "center" }));
  const frame = await page.$eval("#score-figure .frame", (rect) => {
    const box = rect.getBoundingClientRect();
    return { x: box.x, y: box.y, width: box.width, height: box.height };
  });
  const middle = frame.y + frame.height / 2;
  await page.mouse.click(frame.x + 0.3 * frame.width, middle);
  check("demo: the mark comes to a click", Math.abs((await mark()) - (frame.x + 0.3 * frame.width)) < 2);
  equal("demo: a click counts", (await page.textContent("#headline-count")).replaceAll(",", ""), String(data.above[300]));
  await page.mouse.move(frame.x + 0.3 * frame.width, middle);
  await page.mouse.down();
  await page.mouse.move(frame.x + 0.6 * frame.width, middle, { steps: 5 });
  await page.mouse.up();
  check("demo: the mark can be pulled", Math.abs((await mark()) - (frame.x + 0.6 * frame.width)) < 2);
  await page.click("#reset");
  equal("demo: back to where it was", await page.textContent("#headline-count"), String(flagged));

  /* More rows, and those below the threshold. */
  equal("demo: a page of rows", (await rowsOf(page)).length, 25);
  await page.click("#more");
  equal("demo: and more of them", (await rowsOf(page)).length, 50);
  check("demo: the focus goes to the first new one", await page.evaluate(() =>
    document.activeElement === document.querySelectorAll("#rows .open")[25]));
  await page.selectOption("#which", "all");
  check("demo: rows below the threshold are there too", (await page.textContent("#listed")).startsWith("2,000 rows"));
  await page.selectOption("#which", "outliers");

  /* The account of a row, by the keyboard and by a click. */
  await page.focus("#rows tbody .open");
  await page.keyboard.press("Enter");
  check("demo: the account opens", await page.$eval("#account", (dialog) => dialog.open));
  const account = await page.textContent("#account");
  check("demo: it is the row's", account.includes(`Row ${first[0]}`) && account.includes(first[1]), account.slice(0, 80));
  check("demo: reasons with what is usual", (await page.$$("#account table")).length === 2 &&
    ["value", "expected", "usual"].every((word) => account.includes(word)) && account.includes(" to "));
  check("demo: and what it is", account.includes(": an outlier."), account.slice(0, 80));
  const inside = (await axeFaults(page, "#account")).filter((v) => v.impact === "serious" || v.impact === "critical");
  check("demo: no serious fault in it", inside.length === 0, inside.map((v) => v.text).join("; "));
  if (shots) await page.screenshot({ path: join(shots, "report-account.png") });
  await page.keyboard.press("Escape");
  check("demo: Escape closes it", !(await page.$eval("#account", (dialog) => dialog.open)));
  check("demo: and the focus is back", await page.evaluate(() => document.activeElement.classList.contains("open")));
  await page.click("#rows tbody tr:nth-child(3) td:nth-child(3)");
  check("demo: a click on the row opens it too", await page.$eval("#account", (dialog) => dialog.open));
  await page.click("#close");

  /* Copying. */
  await page.fill("#search", first[1]);
  await page.click("#copy");
  await page.locator("#listed", { hasText: "copied" }).waitFor(); /* waitForFunction would need eval, which the page forbids */
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  equal("demo: the head of the copy", copied.split("\n")[0], "row\ttime\tscore\tp_outlier\treasons");
  check("demo: the row is in it", copied.includes(`\t${first[1]}\t`));

  /* On paper. */
  await page.emulateMedia({ media: "print" });
  check("demo: controls are not printed", !(await page.isVisible("#slider")) && !(await page.isVisible("nav")));
  check("demo: the rows are", await page.isVisible("#rows tbody tr"));
  check("demo: it prints", (await page.pdf()).length > 10000);
  check("demo: no error on the way", wrong.length === 0, wrong.join("; "));
  await close();
}

{
  const { page, wrong, close } = await open("long");
  const scores = scoresOf("long");
  const data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
  equal("long: rows", data.rows, 100000);
  check("long: only the highest are listed", data.list.length > 1000 && data.list.length <= 2000, data.list.length);
  const highest = [...scores].sort((a, b) => b - a);
  check("long: and they are the highest", data.list.every((row, i) => Math.abs(row.score - highest[i]) < 1e-6));
  for (const step of [0, 333, 1000]) {
    const at = data.low + ((data.high - data.low) * step) / 1000;
    equal(`long: counts at step ${step}`, data.above[step], scores.filter((s) => s > at).length);
  }
  await page.focus("#slider");
  await page.keyboard.press("Home");
  check("long: it says what is not in the list", (await page.textContent("#listed")).includes("are not on this page"));
  check("long: no error", wrong.length === 0, wrong.join("; "));
  await close();
}

{
  const { page, close } = await open("wide");
  await page.click("#rows tbody .open");
  check("wide: the account is of some of the columns", (await page.textContent("#account")).includes("60 most important of 500 columns"));
  equal("wide: all columns are in the table", (await page.$$("#quality tbody tr")).length, 500);
  await close();
}

{
  const { page, close } = await open("people", { viewport: { width: 375, height: 800 } });
  equal("people: the headline begins", (await page.textContent("h1")).split(/ and | among /)[0], "1 outlier");
  check("people: both levels are marked", (await page.textContent("#score-figure")).match(/unusual above 3.*threshold 4|threshold 4.*unusual above 3/s));
  check("people: the axis of a column ends with the outlier", (await page.$$eval(".card svg text", (texts) =>
    texts.map((text) => text.textContent))).includes("412"));
  await page.click("#rows tbody .open");
  const wide = await page.$eval("#account", (dialog) => dialog.scrollWidth - dialog.clientWidth);
  check("people: the account fits a phone", wide <= 0, `${wide} px`);
  check("people: it says what is usual", /age\s*412/.test((await page.textContent("#account")).replace("value", "")),
    await page.textContent("#account"));
  await close();
}

{
  const { page, wrong, close } = await open("washers");
  const shown = () => page.$$eval("img", (list) => list.filter((img) => img.complete && img.naturalWidth > 0).length);
  equal("washers: two pictures for each row", await shown(), 2 * (await rowsOf(page)).length);
  check("washers: the parts are named", (await page.textContent("#rows .reasons")).endsWith("than expected"));
  if (shots) {
    await page.$eval("#list", (section) => section.scrollIntoView());
    await page.screenshot({ path: join(shots, "report-pictures.png") });
  }
  const before = await shown();
  await page.click("#rows tbody .open");
  equal("washers: and a third in the details", await shown(), before + 3);
  check("washers: which say what they are", (await page.textContent("#account")).includes("what was expected"));
  if (shots) await page.screenshot({ path: join(shots, "report-picture.png") });
  check("washers: no error", wrong.length === 0, wrong.join("; "));
  await close();
}

{
  const { page, wrong, close } = await open("hostile");
  const ids = (await rowsOf(page)).map((row) => row[1]);
  const loose = await page.$$eval("#rows .reasons li > span", (spans) => spans.filter((span) =>
    span.querySelectorAll("bdi").length < 2 || [...span.childNodes].some((node) =>
      node.nodeType === Node.TEXT_NODE && ![" ", ", expected ", " (usual ", " (", ")"].includes(node.data))).length);
  equal("hostile: what a reason has from the file stands by itself", loose, 0);
  const alone = (cells) => cells.filter((cell) => cell.childNodes.length !== 1 || cell.firstChild.nodeName !== "BDI").length;
  equal("hostile: so does an id", await page.$$eval("#rows td.id", alone), 0);
  /* What nobody would see is shown as an escape. */
  for (const text of hostile.map((text) => text.replace("\u2028", "\\u2028")))
    check(`hostile: ${JSON.stringify(text)} is text`, ids.includes(text), ids.slice(0, 6).join(" | "));
  await page.fill("#search", "<svg onload");
  check("hostile: it can be searched", (await rowsOf(page)).length >= 1);
  await page.click("#rows tbody .open");
  check("hostile: names are text", (await page.textContent("#account")).includes("<b onmouseover=alert(7)>bold</b>"));
  equal("hostile: names stand by themselves", await page.$$eval("#account tbody th", alone), 0);
  const bad = "img, iframe, i, [onload], [onerror], [onclick], [onmouseover]";
  const made = await page.evaluate((selector) => document.querySelectorAll(selector).length, bad);
  equal("hostile: nothing was made of it", made, 0);
  equal("hostile: three scripts, as ever", await page.evaluate(() => document.scripts.length), 3);
  /* What would run if it got in does not: the page lets only its own script run. */
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'taken'";
    document.body.append(script);
  });
  check("hostile: a script that is not its own does not run", (await page.title()) !== "taken");
  const others = wrong.filter((text) => !text.includes("Content Security Policy"));
  check("hostile: no dialog, no request", others.length === 0, others.join("; "));
  await close();
}

{
  const { page, close } = await open("bare");
  check("bare: rows without reasons", (await rowsOf(page))[0].length === 4);
  check("bare: no columns, but what the model learned", !(await page.$("#columns")) && Boolean(await page.$("#learning figure")));
  await close();
}

await browser.close();
finish();
