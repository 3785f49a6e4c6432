// Options of a bench: `--name=5` or `--name`. A bench that counts a single thing also takes a bare number.

/** Whether a flag is set. */
export function hasFlag(name: string): boolean {
  return process.argv.includes(`--${name}`)
}

/** A whole number above zero: `--name=5`. @throws Error for anything else */
export function wholeFlag(name: string, fallback: number): number {
  const text = textOf(name)
  return text === undefined ? fallback : wholeOf(text, `--${name}`)
}

/** Like wholeFlag, but the number may also be bare: `node trials/bench/close.ts 5000`. */
export function countOf(name: string, fallback: number): number {
  const [alone] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
  const text = textOf(name) ?? alone
  return text === undefined ? fallback : wholeOf(text, `the number of ${name}`)
}

/** The names in a flag: `--only=presses,idle`; undefined without it. */
export function namesOf(name: string): readonly string[] | undefined {
  return textOf(name)?.split(',')
}

function textOf(name: string): string | undefined {
  return process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
}

function wholeOf(text: string, name: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be a whole number above zero.`)
  return value
}
