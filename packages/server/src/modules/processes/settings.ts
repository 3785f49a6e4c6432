import { createHmac } from 'node:crypto'
import { deriveKey } from '../../runtime/keys.ts'

/** A digest of each setting, by the name of its variable. */
export type Digests = Readonly<Record<string, string>>

/**
 * The settings that decide what is paid, to whom and when: the same in every process, by the names of their variables.
 */
export type SharedSettings = Readonly<Record<string, string>>

/** What settings of the database say in place of variables, by their names; null where the variable holds. */
export type Replacements = Readonly<Record<string, string | null>>

/**
 * What a process publishes: its settings in force, and beside what a setting may replace the variable itself. A process
 * of an older release has only its variables.
 */
export function inForce(variables: SharedSettings, replacements: Replacements): SharedSettings {
  const names = Object.keys(variables).filter((name) => replacements[name] !== undefined)
  return {
    ...variables,
    ...Object.fromEntries(names.map((name) => [name, replacements[name] ?? variables[name] ?? ''])),
    ...Object.fromEntries(names.map((name) => [variableOf(name), variables[name] ?? ''])),
  }
}

/** The name under which the variable is published that a setting may replace. */
function variableOf(name: string): string {
  return `${name} as a variable`
}

/** Digests against which settings cannot be tested without the installation's secret. */
export function digestsOf(settings: SharedSettings, secretKey: Uint8Array): Digests {
  const key = deriveKey(secretKey, 'sharedSettings')
  const digest = (name: string, value: string): string =>
    createHmac('sha256', key).update(`${name}\0${value}`).digest('hex')
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, digest(name, value)]))
}

/**
 * Which of these variables both processes know and have different values of. What a setting replaces is the same in all
 * that read settings, even where what they published is older than it.
 */
export function differing(
  names: readonly string[],
  [one, other]: readonly [Digests, Digests],
  replacements: Replacements,
): string[] {
  const knowBoth = (name: string): boolean => one[name] !== undefined && other[name] !== undefined
  const areApart = (name: string): boolean => knowBoth(name) && one[name] !== other[name]
  return names.filter((name) => {
    const variable = variableOf(name)
    if (!knowBoth(variable)) return areApart(name)
    return (replacements[name] ?? null) === null && areApart(variable)
  })
}
