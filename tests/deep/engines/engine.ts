/** What the journey asks of a browser. An expression is JavaScript of the page. */
export type Engine = {
  version: string;
  go(url: string): Promise<void>;
  reload(): Promise<void>;
  evaluate<T>(expression: string): Promise<T>;
  /** Clicks, as a person's mouse does, the element that the expression gives. */
  click(expression: string): Promise<void>;
  type(expression: string, text: string): Promise<void>;
  close(): Promise<void>;
};
