const PREFIX = "dlv_";

export const publicDeliveryId = (id: number): string => `${PREFIX}${id}`;

export function readDeliveryId(text: string): number | null {
  const digits = /^dlv_([1-9]\d{0,15})$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}
