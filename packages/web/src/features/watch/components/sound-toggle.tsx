import { WATCH_TEXTS } from '../messages.ts'
import styles from './sound-toggle.module.css'

/** Turns the sounds of the draw on and off. */
export function SoundToggle({ isOn, onToggle }: { isOn: boolean; onToggle: () => void }) {
  return (
    <button type="button" className={styles['toggle']} aria-pressed={isOn} onClick={onToggle}>
      <svg
        width="24"
        height="24"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z" />
        <path d={isOn ? 'M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11' : 'm16 9.5 5 5m0-5-5 5'} />
      </svg>
      <span className={styles['name']}>{WATCH_TEXTS.sound}</span>
    </button>
  )
}
