/** Name of the method by which a strategy shows its parts to `passport-social-networks/check`. Applications cannot reach it. */
export const checked: unique symbol = Symbol('passport-social-networks/check');
