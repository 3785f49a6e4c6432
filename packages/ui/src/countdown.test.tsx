// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { find, render } from './testing/render.tsx'
import { Countdown } from './countdown.tsx'

it('a countdown shows days, hours, minutes and seconds and is silent while it ticks', () => {
  const screen = render(
    <Countdown
      part={(name) => ({ days: '00', hours: '05', mins: '42', secs: '07' })[name]}
      label="Time until the draw"
    />,
  )
  const timer = find('[role="timer"]')
  expect([...timer.children].map((box) => box.textContent)).toEqual(['00Days', '05Hours', '42Mins', '07Sec'])
  expect(timer.getAttribute('aria-live')).toBe('off')
  screen.unmount()
})
