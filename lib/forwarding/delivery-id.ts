const PREFIX = "dlv_";

/** The id by which the API and receivers know a delivery. */
export const publicDeliveryId = (id: number): string => `${PREFIX}${id}`;

/** @returns null for what can be no delivery's id */
export function readDeliveryId(text: string): number | null {
  const digits = /^dlv_([1-9]\d{0,15})$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}
