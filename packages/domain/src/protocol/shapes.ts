import { fromBase64 } from './bytes.ts'
import type { Json } from './json.ts'

/** Shapes of JSON values (section 12): exactly the given keys, and values of one form. */

/** A file does not have the shape of a bundle, evidence or trust. The message gives the reason, for people. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'
}

/** Reads a value, or throws. `what` names it in the message. */
export type Shape<T> = (value: Json, what: string) => T

const HEX32 = /^[0-9a-f]{64}$/

export const text: Shape<string> = (value, what) => {
  if (typeof value !== 'string') throw new ShapeError(`${what} is not a text.`)
  return value
}

export const integer: Shape<number> = (value, what) => {
  if (typeof value !== 'number') throw new ShapeError(`${what} is not a whole number.`)
  return value
}

/** 32 bytes as lowercase hex. */
export const hex: Shape<string> = (value, what) => {
  const digits = text(value, what)
  if (!HEX32.test(digits)) throw new ShapeError(`${what} is not 64 lowercase hex digits.`)
  return digits
}

export const base64: Shape<Uint8Array> = (value, what) => {
  try {
    return fromBase64(text(value, what))
  } catch {
    throw new ShapeError(`${what} is not base64.`)
  }
}

/** A value, or null. */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value, what) => (value === null ? null : shape(value, what))
}

/** One of some words. */
export function choice<const W extends string>(...words: readonly W[]): Shape<W> {
  return (value, what) => {
    const found = words.find((word) => word === value)
    if (found === undefined) throw new ShapeError(`${what} is not one of: ${words.join(', ')}.`)
    return found
  }
}

/** A list with a minimum and maximum number of items. */
export function listOf<T>(shape: Shape<T>, most: number, fewest = 0): Shape<readonly T[]> {
  return (value, what) => {
    if (!Array.isArray(value)) throw new ShapeError(`${what} is not a list.`)
    if (value.length > most || value.length < fewest) {
      throw new ShapeError(`${what} has ${value.length} items; ${fewest} to ${most} are allowed.`)
    }
    return (value as readonly Json[]).map((item, place) => shape(item, `${what}, item ${place + 1}`))
  }
}

/** An object with exactly these keys, in any order. */
export function objectOf<T extends object>(shapes: { readonly [K in keyof T]: Shape<T[K]> }): Shape<T> {
  const keys = Object.keys(shapes)
  return (value, what) => {
    if (!(value instanceof Map)) throw new ShapeError(`${what} is not an object.`)
    const entries = value as ReadonlyMap<string, Json>
    const unknown = [...entries.keys()].find((key) => !keys.includes(key))
    if (unknown !== undefined) throw new ShapeError(`${what} has the unknown key "${unknown.slice(0, 40)}".`)
    const read = keys.map((key) => {
      const item = entries.get(key)
      if (item === undefined) throw new ShapeError(`${what} lacks the key "${key}".`)
      return [key, shapes[key as keyof T](item, `${what}, ${key}`)]
    })
    return Object.fromEntries(read) as T // each key was read by its shape
  }
}
