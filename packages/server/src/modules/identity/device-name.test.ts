import { expect, it } from 'vitest'
import { deviceName } from './device-name.ts'

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0'

it.each([
  ['Safari on iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE} Version/18.5 Safari/604.1`],
  ['Safari on macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/18.5 Safari/605.1.15`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 16; K) ${CHROME} Mobile Safari/537.36`],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/143.0.0.0`],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Browser on iPad', 'Mozilla/5.0 (iPad)'],
  ['curl', 'curl/8.17.0'],
  ['Unknown device', ''],
])('a device is called %s', (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name)
})
