import { useSyncExternalStore } from "react";

export const NO_PASSKEYS =
  "Passkeys need Signalbox to be opened by a host name over https, or at localhost: browsers refuse them elsewhere.";

const IP_ADDRESS = /^(\d+(\.\d+){3}|\[.*\])$/;

/** False at an IP address, which can't be a relying party's ID (WebAuthn level 3, section 5.1.2), and without a secure context. */
export const takesPasskeys = ({ hostname, isSecure }: { hostname: string; isSecure: boolean }): boolean =>
  isSecure && !IP_ADDRESS.test(hostname);

const never = () => () => {};

/** True until the page is hydrated: the server does not know how the browser reached it. */
export const usePasskeys = (): boolean =>
  useSyncExternalStore(
    never,
    () => takesPasskeys({ hostname: location.hostname, isSecure: window.isSecureContext }),
    () => true,
  );
