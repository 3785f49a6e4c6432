// What a bench is told: `--name=5` or `--name`; all of them take a number alone as well where they count only one thing.

/** Whether a flag is set. */
export function hasFlag(name: string): boolean {
  return process.argv.includes(`--${name}`)
}

/** A whole number above zero: `--name=5`. @throws Error for anything else */
export function wholeFlag(name: string, fallback: number): number {
  const text = textOf(name)
  return text === undefined ? fallback : wholeOf(text, `--${name}`)
}

/** The same of what a bench counts, which may stand there alone: `node trials/bench/close.ts 5000`. */
export function countOf(name: string, fallback: number): number {
  const [alone] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
  const text = textOf(name) ?? alone
  return text === undefined ? fallback : wholeOf(text, `the number of ${name}`)
}

function textOf(name: string): string | undefined {
  return process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
}

function wholeOf(text: string, name: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} has to be a whole number above zero.`)
  return value
}
