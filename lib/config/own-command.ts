/**
 * Returns how a program of this installation is called here: `npm run backup -- FILE` in a clone, `signalbox backup FILE` where
 * the package is installed (bin/signalbox.mjs says so to its processes).
 *
 * @param name as bin/signalbox.mjs and package.json's scripts name it, `start` among them
 */
export function ownCommand(name: string, args = ""): string {
  const installed = process.env.SIGNALBOX_COMMAND;
  const [command, given] = installed
    ? [`${installed} ${name}`, args]
    : [name === "start" ? "npm start" : `npm run ${name}`, args && `-- ${args}`];
  return given === "" ? command : `${command} ${given}`;
}
