/** The members that a type names, without its index signatures; optional members stay optional. */
export type KnownMembers<T> = {
  [Key in keyof T as string extends Key
    ? never
    : number extends Key
      ? never
      : symbol extends Key
        ? never
        : Key]: T[Key];
};

/** Names of the members that a type names: with an index signature, `keyof` would be every string. */
export type KnownKeys<T> = keyof KnownMembers<T>;

/** Names of the members that must be there. */
export type RequiredKeys<T> = {
  [Key in KnownKeys<T>]-?: Pick<KnownMembers<T>, Key> extends Required<Pick<KnownMembers<T>, Key>>
    ? Key
    : never;
}[KnownKeys<T>];

/** Names of the members that may be missing. */
export type OptionalKeys<T> = Exclude<KnownKeys<T>, RequiredKeys<T>>;
