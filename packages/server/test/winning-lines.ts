/** The highest number of a line of Bitcoin Hero. */
const POOL = 36

/**
 * Lines of Bitcoin Hero of which one at least has three of the numbers, whatever is drawn: of five numbers three are in
 * the same half of the pool, and all threes of each half are on some line.
 */
export function winningLines(): number[][] {
  const half = POOL / 2
  const low = linesOver(Array.from({ length: half }, (_, index) => index + 1))
  return [...low, ...low.map((line) => line.map((number) => number + half))]
}

/** Lines on which all threes of some numbers are. */
function linesOver(numbers: readonly number[]): number[][] {
  const covered = new Set<string>()
  const lines: number[][] = []
  for (const three of choose(numbers, 3)) {
    if (covered.has(String(three))) continue
    const others = numbers.filter((number) => !three.includes(number))
    const [line] = choose(others, 2)
      .map((two) => [...three, ...two].toSorted((a, b) => a - b))
      .map((of) => ({ of, adds: choose(of, 3).filter((one) => !covered.has(String(one))).length }))
      .toSorted((a, b) => b.adds - a.adds)
    if (line === undefined) continue
    lines.push(line.of)
    for (const one of choose(line.of, 3)) covered.add(String(one))
  }
  return lines
}

/** All ways to choose some of the numbers, in order. */
function choose(numbers: readonly number[], count: number): number[][] {
  if (count === 0) return [[]]
  return numbers.flatMap((first, place) => choose(numbers.slice(place + 1), count - 1).map((rest) => [first, ...rest]))
}
