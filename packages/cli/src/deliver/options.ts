export type SigningOptions = { passThrough?: boolean; signed?: boolean; secretFile?: string };

export type ListenOptions = SigningOptions & {
  type?: string[];
  source?: string;
  filter?: string;
  since?: string;
  catchUp?: "send" | "skip";
  maxOffline?: string;
  concurrency: string;
  timeout: string;
  name?: string;
};

export type ReplayOptions = SigningOptions & {
  to: string[];
  also?: string;
  ignore?: string[];
  junit?: string;
  rate: string;
  concurrency: string;
  timeout: string;
  limit: string;
  report: boolean;
};
