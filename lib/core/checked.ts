/**
 * Name of the method by which a strategy shows its parts to `passport-social-networks-check`: no login calls it, and it is no part of the public
 * interface. The symbol is registered, so that a check finds it on the strategies of another copy of this package.
 */
export const checked: unique symbol = Symbol.for('passport-social-networks/checked');
