import { expect, it } from 'vitest'
import { callerAddress } from './caller-address.ts'

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::'],
  ['2001:db8::1', '2001:db8:0:0::'],
  ['::1', '0:0:0:0::'],
  ['fe80::1%eth0', 'fe80:0:0:0::'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::'],
  ['unknown', 'unknown'],
  ['', ''],
  [undefined, ''],
])('a caller at %s is counted as %s', (ip, expected) => {
  expect(callerAddress(ip)).toBe(expected)
})

it('a whole IPv6 network is counted as one caller', () => {
  const callers = Array.from({ length: 100 }, (_, host) => callerAddress(`2001:db8:0:7::${host.toString(16)}`))
  expect(new Set(callers).size).toBe(1)
})
