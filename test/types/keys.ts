/** The declared fields of a type, without its index signatures; optional fields stay optional. */
export type KnownFields<T> = {
  [Key in keyof T as string extends Key
    ? never
    : number extends Key
      ? never
      : symbol extends Key
        ? never
        : Key]: T[Key];
};

/** The names of the declared fields; with an index signature, `keyof` would be every string. */
export type KnownKeys<T> = keyof KnownFields<T>;

/** The names of the required fields. */
export type RequiredKeys<T> = {
  [Key in KnownKeys<T>]-?: Pick<KnownFields<T>, Key> extends Required<Pick<KnownFields<T>, Key>>
    ? Key
    : never;
}[KnownKeys<T>];

/** The names of the optional fields. */
export type OptionalKeys<T> = Exclude<KnownKeys<T>, RequiredKeys<T>>;
