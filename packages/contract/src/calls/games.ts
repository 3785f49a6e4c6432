/** Games, their draws, and a player's numbers, plays and wins in them. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { okWith, pageOf } from '../schemas/answers.ts'
import {
  checkedLineSchema,
  drawDetailsSchema,
  drawSchema,
  gameSchema,
  gameVersionSchema,
  latestDrawSchema,
  openDrawSchema,
  playSchema,
  retiredGameSchema,
  statisticsSchema,
  watchDataSchema,
  winSchema,
} from '../schemas/game.ts'
import { linesInput, linesSchema } from '../schemas/lines.ts'
import { pagedQuery } from '../schemas/paging.ts'
import { drawParams, gameParams } from '../schemas/params.ts'

const savedNumbers = { tag: 'Games', params: gameParams, answer: okWith(linesSchema) } as const

export const gameCalls = {
  getGames: defineCall(ADDRESSES.getGames, {
    tag: 'Games',
    summary: 'Lists every game with its rules, its next draw and its advertised jackpot.',
    answer: z.array(gameSchema),
    errors: ['RATE_UNAVAILABLE'],
  }),
  getRetiredGames: defineCall(ADDRESSES.getRetiredGames, {
    tag: 'Games',
    summary: 'Lists the games that are no longer drawn, and where the pool of each went.',
    answer: z.array(retiredGameSchema),
    errors: [],
  }),
  getOpenDraws: defineCall(ADDRESSES.getOpenDraws, {
    tag: 'Games',
    summary: 'Lists the draws of a game that an order can be for, each with its own price, prizes and rules.',
    params: gameParams,
    answer: z.array(openDrawSchema),
    errors: ['NOT_FOUND', 'RATE_UNAVAILABLE'],
  }),
  getGameVersions: defineCall(ADDRESSES.getGameVersions, {
    tag: 'Games',
    summary: 'Lists the versions of the rules of a game, newest first, with the statements that announced them.',
    params: gameParams,
    answer: z.array(gameVersionSchema),
    errors: ['NOT_FOUND'],
  }),
  getSavedNumbers: defineCall(ADDRESSES.getSavedNumbers, {
    ...savedNumbers,
    summary: 'Lists the lines the player has saved for a game.',
    errors: ['NOT_FOUND'],
  }),
  saveNumbers: defineCall(ADDRESSES.saveNumbers, {
    ...savedNumbers,
    summary: 'Replaces the lines the player has saved for a game, and returns them.',
    body: z.strictObject({ lines: linesInput }),
    errors: ['NOT_FOUND'],
  }),
  deleteSavedNumbers: defineCall(ADDRESSES.deleteSavedNumbers, {
    ...savedNumbers,
    summary: 'Deletes the lines the player has saved for a game, and returns the empty list.',
    errors: ['NOT_FOUND'],
  }),
  getLastPlayedNumbers: defineCall(ADDRESSES.getLastPlayedNumbers, {
    tag: 'Games',
    summary: 'Lists the lines of the last paid order of the player in a game.',
    params: gameParams,
    answer: linesSchema,
    errors: ['NOT_FOUND'],
  }),
  getWins: defineCall(ADDRESSES.getWins, {
    tag: 'Games',
    summary: 'Lists the winning entries of the player in a game, newest first.',
    params: gameParams,
    answer: okWith(z.array(winSchema)),
    errors: ['NOT_FOUND'],
  }),
  getPlays: defineCall(ADDRESSES.getPlays, {
    tag: 'Games',
    summary: 'Lists the plays of the player in a game: those not yet drawn first, then newest first.',
    params: gameParams,
    query: pagedQuery,
    answer: okWith(pageOf(playSchema)),
    errors: ['NOT_FOUND'],
  }),
  getDraws: defineCall(ADDRESSES.getDraws, {
    tag: 'Games',
    summary: 'Lists the draws of a game in the previous 180 days, newest first.',
    params: gameParams,
    query: pagedQuery,
    // Answers in both spellings that the spec's name can have.
    answer: z.object({ results: z.array(drawSchema), totalPages: z.int(), total_pages: z.int() }),
    errors: ['NOT_FOUND'],
  }),
  getLatestDraws: defineCall(ADDRESSES.getLatestDraws, {
    tag: 'Games',
    summary: 'Lists the newest draw of each game, newest first, with what was won in it.',
    answer: z.array(latestDrawSchema),
    errors: [],
  }),
  getDraw: defineCall(ADDRESSES.getDraw, {
    tag: 'Games',
    summary: 'Shows one draw with its prize breakdown, its money and its fairness record.',
    params: drawParams,
    answer: drawDetailsSchema,
    errors: ['NOT_FOUND'],
  }),
  getWatch: defineCall(ADDRESSES.getWatch, {
    tag: 'Games',
    summary: 'Shows the balls of the current draw of a game, and its prizes once all balls are shown.',
    params: gameParams,
    answer: okWith(watchDataSchema),
    errors: ['NOT_FOUND'],
  }),
  streamWatch: defineCall(ADDRESSES.streamWatch, {
    tag: 'Games',
    summary: 'Sends an event named watch at every change of a draw, with the data of the watch call.',
    params: gameParams,
    answer: watchDataSchema,
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  checkNumbers: defineCall(ADDRESSES.checkNumbers, {
    tag: 'Games',
    summary: 'Lists what lines would have won in the draws of the last 180 days.',
    params: gameParams,
    body: z.strictObject({ lines: linesInput }),
    answer: z.object({ results: z.array(checkedLineSchema) }),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  getStatistics: defineCall(ADDRESSES.getStatistics, {
    tag: 'Games',
    summary: 'Counts the draws of each number of a game, and lists its jackpots. History cannot predict a draw.',
    params: gameParams,
    answer: statisticsSchema,
    errors: ['NOT_FOUND'],
  }),
}
