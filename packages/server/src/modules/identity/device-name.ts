const LONGEST_OTHER = 60

/** In this order, since browsers also name the ones they resemble. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bCriOS\/|\bChrome\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * A player's name for the device: `Firefox on Linux`. Derived from the `User-Agent` without versions, so that an update
 * is not a new device. Anything else is shown by its first word.
 */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  if (browser !== undefined) return browser
  const product = /^[\w.+-]+/.exec(userAgent)?.[0].slice(0, LONGEST_OTHER)
  if (product === undefined || product === 'Mozilla')
    return system === undefined ? 'Unknown device' : `Browser on ${system}`
  return product
}
