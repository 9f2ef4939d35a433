/** Returns the path of the packed command line. npm keeps what it fetched from a URL, so the version is part of it. */
export const commandLinePath = (version: string): string => `/cli/signalbox-cli-${version}.tgz`;
