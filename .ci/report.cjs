// Opens a page in Chromium, light and dark: it asks for nothing, says nothing in the console, and axe finds nothing in it.
const puppeteer = require("puppeteer-core");
const axe = require("axe-core");

(async () => {
  const [file, chromium] = process.argv.slice(2);
  const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  const problems = [];
  for (const scheme of ["light", "dark"]) {
    const page = await browser.newPage();
    const found = (what) => problems.push(`${scheme}: ${what}`);
    page.on("console", (message) => found(`console: ${message.text()}`));
    page.on("pageerror", (error) => found(error));
    page.on("request", (request) => {
      const url = request.url();
      if (url !== `file://${file}` && !url.startsWith("data:")) found(`asked for ${url}`);
    });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(`file://${file}`, { waitUntil: "networkidle0" });
    const result = await page.evaluate(`${axe.source}; axe.run()`);
    for (const { impact, id, nodes } of result.violations) {
      found(`${impact}: ${id}: ${nodes.map((node) => node.target).join(" ")}`);
    }
    console.log(`${scheme}: ${result.passes.length} rules hold`);
  }
  await browser.close();
  problems.forEach((problem) => console.error(problem));
  process.exit(problems.length > 0 || 0);
})();
