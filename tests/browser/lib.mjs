/* What the tests in a browser share: counting, tables, the browser, and axe. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let passed = 0, failed = 0;

export const check = (what, fine, more = "") => {
  if (fine) passed++;
  else {
    failed++;
    console.log(`FAILED ${what}${more === "" ? "" : `: ${more}`}`);
  }
};
export const equal = (what, got, want) => check(what, got === want, `${JSON.stringify(got)}, expected ${JSON.stringify(want)}`);
export const finish = () => {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
};

let seed = 7;
export const uniform = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
export const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
export const hostile = ["</script><img src=x onerror=alert(1)>", "<svg onload=alert(2)>", "\u2028--><script>alert(3)</script>",
  "' onclick='alert(4)", "javascript:alert(5)", "{{7*7}}${alert(6)}"];

export const patience = 900_000; /* milliseconds, for what hangs */
export const launch = () => chromium.launch(
  { executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"], timeout: patience });

/* Each fault that axe finds in a part of the page, as a line. */
export const axeFaults = async (page, part = "html", options = {}) => {
  await page.evaluate(axe);
  const found = await page.evaluate(([selector, more]) => axe.run(selector, { resultTypes: ["violations"], ...more }),
    [part, options]);
  return found.violations.map((v) => ({ impact: v.impact,
    text: `${v.id} (${v.nodes.length}): ${v.nodes[0].target} ${v.nodes[0].failureSummary}` }));
};
/* How far the page is wider than the window, in pixels. */
export const sticksOut = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
