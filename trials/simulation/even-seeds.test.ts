import { playHalf } from './seeds-of-half.ts'

playHalf(1)
