/*
 * The documentation in a browser, opened as files. node site.mjs SITE [SHOTS]: looks at pages, searches, and uses the menu;
 * with SHOTS, pictures go into that folder. Prints what failed and last "N passed, N failed".
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { axeFaults, check, equal, finish, launch, patience, sticksOut } from "./lib.mjs";

const [site, shots] = process.argv.slice(2);
if (shots) mkdirSync(shots, { recursive: true });
const browser = await launch();
const looked = ["index", "docs/index", "docs/TABLES", "docs/ODIM", "docs/R", "docs/experiments/methods", "docs/man/odim-detect.1",
  "include/odim.h", "examples/index", "bench/RESULTS"];
const address = (name) => `file://${join(site, `${name}.html`)}`;

const open = async (size, colorScheme) => {
  const context = await browser.newContext({ viewport: size, colorScheme });
  context.setDefaultTimeout(patience);
  const page = await context.newPage(), asked = [], errors = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  return { page, asked, errors };
};

for (const colorScheme of ["light", "dark"])
  for (const size of [{ width: 1280, height: 900 }, { width: 360, height: 740 }]) {
    const { page, asked, errors } = await open(size, colorScheme);
    for (const name of looked) {
      const what = `${name}, ${size.width} px, ${colorScheme}`;
      await page.goto(address(name));
      equal(`${what}: one heading of the first level`, await page.locator("h1").count(), 1);
      equal(`${what}: as wide as the window`, await sticksOut(page), 0);
      equal(`${what}: all images are there`, await page.evaluate(() =>
        [...document.images].filter((image) => !image.complete || !image.naturalWidth).length), 0);
      const open = await page.locator("#site-menu").evaluate((menu) => menu.open);
      equal(`${what}: the menu`, open, size.width > 1000);
      if (shots) await page.screenshot({ path: join(shots, `${name.replaceAll("/", "-")}-${size.width}-${colorScheme}.png`) });
      /* The source is long, and is one block of text. */
      if (name !== "include/odim.h")
        for (const fault of await axeFaults(page, "html", { preload: false })) check(`${what}: ${fault.text}`, false);
    }
    equal(`${size.width} px, ${colorScheme}: nothing is loaded from elsewhere`,
      asked.filter((url) => !url.startsWith(`file://${site}/`) && url !== "data:,").join(" "), "");
    equal(`${size.width} px, ${colorScheme}: no errors`, errors.join("\n"), "");
    await page.context().close();
  }

/* ---- the search ---- */
const { page, asked, errors } = await open({ width: 1280, height: 900 }, "light");
const results = page.locator("#site-results li");
const search = async (words) => {
  await page.fill("#site-query", words);
  await page.waitForFunction(() => document.getElementById("site-count").textContent !== "");
  return results.count();
};
await page.goto(address("docs/man/odim-fit.1"));
equal("no index before it is needed", asked.filter((url) => url.endsWith("search-index.js")).length, 0);
await page.keyboard.press("/");
equal("/ leads to the search", await page.evaluate(() => document.activeElement.id), "site-query");
check("a word", (await search("missing cells")) > 2);
check("its place", (await results.first().locator("b").textContent()).includes("Missing cells"));
check("its words are marked", (await results.first().locator("mark").count()) > 0);
equal("the first is chosen", await results.first().getAttribute("aria-selected"), "true");
await page.keyboard.press("ArrowDown");
equal("then the second", await results.nth(1).getAttribute("aria-selected"), "true");
equal("and no other", await page.locator('#site-results [aria-selected="true"]').count(), 1);
for (const fault of await axeFaults(page, "html", { preload: false })) check(`results: ${fault.text}`, false);
if (shots) await page.screenshot({ path: join(shots, "search.png") });
await page.keyboard.press("ArrowUp");
await Promise.all([page.waitForURL("**/TABLES.html#missing-cells"), page.keyboard.press("Enter")]);
equal("the heading is there", await page.locator("#missing-cells").count(), 1);
check("and in view", await page.locator("#missing-cells").evaluate((e) => {
  const place = e.getBoundingClientRect();
  return place.top >= 40 && place.bottom <= innerHeight;
}));
await page.focus("#site-query");
check("an option of the command", (await search("--trusted-fraction")) > 0);
check("the C interface is found in words", (await search("odim_scorer")) > 0);
equal("nothing", await search("xyzzyplugh"), 0);
equal("it says so", await page.locator("#site-count").textContent(), "0 results");
equal("no list then", await page.locator("#site-results").isVisible(), false);
check("text is not HTML", (await search("script")) >= 0 && (await page.locator("#site-results script").count()) === 0);
await page.keyboard.press("Escape");
equal("Escape ends it", await page.inputValue("#site-query"), "");
check("with a mouse", (await search("parquet")) > 0);
const wanted = await results.nth(0).getAttribute("data-url");
await Promise.all([page.waitForNavigation(), results.nth(0).click()]);
check("it leads there", page.url().endsWith(wanted.replace(/^(\.\.\/|\.\/)+/, "")), `${page.url()}, expected ${wanted}`);
equal("search: nothing is loaded from elsewhere", asked.filter((url) => !url.startsWith(`file://${site}/`) && url !== "data:,").join(" "), "");
equal("search: no errors", errors.join("\n"), "");

/* ---- a phone ---- */
const phone = await open({ width: 360, height: 740 }, "light");
await phone.page.goto(address("docs/TABLES"));
await phone.page.click("#site-menu summary");
check("the menu opens", await phone.page.locator("nav a", { hasText: "File formats" }).first().isVisible());
equal("and fits", await sticksOut(phone.page), 0);
if (shots) await phone.page.screenshot({ path: join(shots, "menu-360.png") });
await phone.page.fill("#site-query", "seed");
await phone.page.waitForFunction(() => !document.getElementById("site-results").hidden);
equal("so do the results", await sticksOut(phone.page), 0);
if (shots) await phone.page.screenshot({ path: join(shots, "search-360.png") });

await browser.close();
finish();
