/** Catalogues for forms, winners and causes, and the contact form. */
import { MESSAGE_MAX, TEXT_MAX } from '@fairball/domain/validation'
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { okSchema } from '../schemas/answers.ts'
import {
  causeSchema,
  countrySchema,
  currencySchema,
  securityQuestionSchema,
  timezoneSchema,
  winnerSchema,
} from '../schemas/content.ts'
import { legalTextSchema } from '../schemas/legal.ts'
import { versionQuery } from '../schemas/params.ts'
import { catalogueId, filledText, textUpTo } from '../schemas/text.ts'

export const contentCalls = {
  getCountries: defineCall(ADDRESSES.getCountries, {
    tag: 'Content',
    summary: 'Lists the countries of the contact form.',
    answer: z.array(countrySchema),
    errors: [],
  }),
  getTimezones: defineCall(ADDRESSES.getTimezones, {
    tag: 'Content',
    summary: 'Lists the time zones a player can choose.',
    answer: z.array(timezoneSchema),
    errors: [],
  }),
  getCurrencies: defineCall(ADDRESSES.getCurrencies, {
    tag: 'Content',
    summary: 'Lists the currencies in which amounts are shown.',
    answer: z.array(currencySchema),
    errors: [],
  }),
  getSecurityQuestions: defineCall(ADDRESSES.getSecurityQuestions, {
    tag: 'Content',
    summary: 'Lists the security questions a player can choose.',
    answer: z.array(securityQuestionSchema),
    errors: [],
  }),
  getWinners: defineCall(ADDRESSES.getWinners, {
    tag: 'Content',
    summary: 'Lists the newest cash wins of players who agreed to be shown, under masked names.',
    answer: z.array(winnerSchema),
    errors: [],
  }),
  getCauses: defineCall(ADDRESSES.getCauses, {
    tag: 'Content',
    summary: 'Lists the good causes of the operator.',
    answer: z.array(causeSchema),
    errors: [],
  }),
  getLegalText: defineCall(ADDRESSES.getLegalText, {
    tag: 'Content',
    summary: 'Returns the terms, the privacy policy or the page on cookies, as they are now or in the version named.',
    params: z.object({ name: textUpTo(TEXT_MAX) }),
    query: versionQuery,
    answer: legalTextSchema,
    errors: ['NOT_FOUND'],
  }),
  sendContactMessage: defineCall(ADDRESSES.sendContactMessage, {
    tag: 'Content',
    summary: 'Sends a message to support.',
    body: z.strictObject({
      name: filledText(TEXT_MAX),
      email: textUpTo(TEXT_MAX),
      country_id: catalogueId,
      message: filledText(MESSAGE_MAX),
    }),
    answer: okSchema,
    errors: ['INVALID_EMAIL', 'TOO_MANY_REQUESTS'],
  }),
}
