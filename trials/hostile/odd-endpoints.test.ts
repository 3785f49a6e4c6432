import { attackHalf } from './attack-of-half.ts'

attackHalf(1)
