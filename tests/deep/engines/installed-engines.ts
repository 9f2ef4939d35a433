import { existsSync } from "node:fs";
import { arch } from "node:os";

const LIBRARIES = `/usr/lib/${arch() === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;

/** Programs that each engine needs, beside what `npm run test:deep -- engines` installs itself; Debian's packages and places. */
const PROGRAMS = {
  firefox: { "firefox-esr": ["/usr/bin/firefox-esr", "/usr/bin/firefox"] },
  webkit: {
    "webkit2gtk-driver": ["/usr/bin/WebKitWebDriver"],
    "libwebkit2gtk-4.1-0": [`${LIBRARIES}/webkit2gtk-4.1/MiniBrowser`],
    xvfb: ["/usr/bin/Xvfb"],
  },
};

/** Where the programs of an engine are, by package; `missing` names the packages of those that are not there. */
function find<Package extends string>(programs: Record<Package, string[]>) {
  const found = Object.entries<string[]>(programs).map(([name, places]) => ({ name, place: places.find((each) => existsSync(each)) }));
  return {
    missing: found.filter(({ place }) => !place).map(({ name }) => name),
    paths: Object.fromEntries(found.map(({ name, place }) => [name, place ?? ""])) as Record<Package, string>,
  };
}

export const ENGINES = { Firefox: find(PROGRAMS.firefox), WebKitGTK: find(PROGRAMS.webkit) };
