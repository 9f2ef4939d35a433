import pg from "pg";

/** A column of a statement's rows. `source` and `nullable`: the table's column that it is, and whether that may be null; null for an expression. */
export type Column = { name: string; type: string; source: string | null; nullable: boolean | null };

type Field = { name: string; dataTypeID: number; tableID: number; columnID: number };

/** Asks the server what rows a statement has, without running it: `submit` is the driver's protocol for queries of one's own. */
class Description {
  private fields: Field[] = [];
  private readonly text: string;
  private readonly done: (error: Error | null, fields: Field[]) => void;

  constructor(text: string, done: (error: Error | null, fields: Field[]) => void) {
    this.text = text;
    this.done = done;
  }

  submit(connection: pg.Connection): void {
    connection.parse({ name: "", text: this.text, types: [] }, true);
    connection.describe({ type: "S", name: "" }, true);
    connection.sync();
  }

  handleRowDescription(message: { fields: Field[] }): void {
    this.fields = message.fields;
  }

  handleError(error: Error): void {
    this.done(error, []);
  }

  handleReadyForQuery(): void {
    this.done(null, this.fields);
  }
}

/** Describes statements by asking a database. */
export class Describer {
  private readonly client: pg.Client;
  private readonly types = new Map<number, string>();
  private readonly columns = new Map<string, { source: string; nullable: boolean }>();

  private constructor(client: pg.Client) {
    this.client = client;
  }

  static async open(url: string): Promise<Describer> {
    const describer = new Describer(new pg.Client({ connectionString: url }));
    const { client, types, columns } = describer;
    await client.connect();
    const named = await client.query<{ oid: number; name: string }>(
      "SELECT oid, CASE typtype WHEN 'e' THEN 'enum' ELSE format_type(oid, NULL) END AS name FROM pg_type",
    );
    for (const { oid, name } of named.rows) types.set(oid, name);
    const placed = await client.query<{ place: string; source: string; nullable: boolean }>(
      "SELECT attrelid || '.' || attnum AS place, attname AS source, NOT attnotnull AS nullable FROM pg_attribute WHERE attnum > 0 AND attrelid >= 16384",
    );
    for (const { place, ...column } of placed.rows) columns.set(place, column);
    return describer;
  }

  /** @throws what the server says against the statement */
  async describe(text: string): Promise<Column[]> {
    const fields = await new Promise<Field[]>((resolve, reject) => {
      this.client.query(new Description(text, (error, found) => (error ? reject(error) : resolve(found))) as unknown as pg.Submittable);
    });
    return fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      type: this.types.get(dataTypeID) ?? String(dataTypeID),
      ...(this.columns.get(`${tableID}.${columnID}`) ?? { source: null, nullable: null }),
    }));
  }

  end(): Promise<void> {
    return this.client.end();
  }
}
