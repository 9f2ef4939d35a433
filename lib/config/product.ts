import product from "../../package.json" with { type: "json" };

export const PRODUCT_VERSION: string = product.version;

/** Returns how a command is called here: `npm run backup -- FILE` in a clone, `signalbox backup FILE` where it is installed. */
export function ownCommand(name: string, args = ""): string {
  const installed = process.env.SIGNALBOX_COMMAND;
  const [command, given] = installed
    ? [`${installed} ${name}`, args]
    : [name === "start" ? "npm start" : `npm run ${name}`, args && `-- ${args}`];
  return given === "" ? command : `${command} ${given}`;
}

export function npmScript(): string | null {
  return process.env.npm_lifecycle_event ? (process.env.npm_lifecycle_script ?? null) : null;
}
