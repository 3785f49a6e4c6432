import type { Game } from '../../../shared/data/games.ts'
import { useArrivals } from '../use-arrivals.ts'
import { useDrawSound } from '../use-draw-sound.ts'
import type { Watch } from '../use-watch.ts'
import { BallMachine } from './ball-machine.tsx'
import { BallTray } from './ball-tray.tsx'
import { SoundToggle } from './sound-toggle.tsx'
import { WinBurst } from './win-burst.tsx'
import styles from './draw-stage.module.css'

/** The machine and its drawn balls, with sounds if switched on. Each draw needs a key of its own. */
export function DrawShow({ game, watch }: { game: Game; watch: Watch }) {
  const { data, phase } = watch
  const set = game.sets[0]
  const balls = data?.draw ?? Array.from({ length: set?.n ?? 0 }, () => false as const)
  const arrivals = useArrivals(data)
  const sound = useDrawSound(arrivals)
  const isPending = balls.some((ball) => typeof ball !== 'number')
  const hasWon = data !== null && data.prizes !== false && data.prizes.some((prize) => prize.youWin)
  return (
    <>
      <div className={styles['tray']}>
        <BallTray balls={balls} arrivals={arrivals} />
        {arrivals.prizes && hasWon && <WinBurst />}
      </div>
      <div className={styles['machine']}>
        <BallMachine balls={balls} pool={set?.N ?? 0} isMixing={phase === 'LIVE' && isPending} arrivals={arrivals} />
        <SoundToggle isOn={sound.isOn} onToggle={sound.toggle} />
      </div>
    </>
  )
}
