// Runs before the programs of package.json, which are TypeScript: an older Node ends there with a stack and no advice.
// Plain JavaScript that Node 20 takes. With an argument, that version is judged.

const OLDEST = 24;
const [version = process.versions.node] = process.argv.slice(2);

if (Number(version.split(".")[0]) < OLDEST) {
  process.stderr.write(
    `This is Node ${version}; Signalbox runs on Node ${OLDEST}, which npm installs with the packages.\nRun npm ci, and then start it by npm (npm start, npm run doctor): npm takes the right one.\n`,
  );
  process.exitCode = 1;
}
