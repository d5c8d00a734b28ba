package dev.superstep.otel;

import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.doubleKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringArrayKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.opentelemetry.api.common.AttributeKey;
import java.util.List;

/// The names of attributes. Those of the GenAI conventions are written down here, since no artifact
/// has them (decision 0043).
final class AttributeKeys {
  static final AttributeKey<String> ERROR_TYPE = stringKey("error.type");
  static final AttributeKey<String> SERVER_ADDRESS = stringKey("server.address");
  static final AttributeKey<Long> SERVER_PORT = longKey("server.port");

  static final AttributeKey<String> OPERATION = stringKey("gen_ai.operation.name");
  static final AttributeKey<String> PROVIDER = stringKey("gen_ai.provider.name");
  static final AttributeKey<String> REQUEST_MODEL = stringKey("gen_ai.request.model");
  static final AttributeKey<Boolean> REQUEST_STREAM = booleanKey("gen_ai.request.stream");
  static final AttributeKey<String> RESPONSE_MODEL = stringKey("gen_ai.response.model");
  static final AttributeKey<String> RESPONSE_ID = stringKey("gen_ai.response.id");
  static final AttributeKey<List<String>> FINISH_REASONS =
      stringArrayKey("gen_ai.response.finish_reasons");
  static final AttributeKey<Double> FIRST_CHUNK = doubleKey("gen_ai.response.time_to_first_chunk");
  static final AttributeKey<Long> INPUT_TOKENS = longKey("gen_ai.usage.input_tokens");
  static final AttributeKey<Long> CACHE_READ_TOKENS =
      longKey("gen_ai.usage.cache_read.input_tokens");
  static final AttributeKey<Long> CACHE_CREATION_TOKENS =
      longKey("gen_ai.usage.cache_creation.input_tokens");
  static final AttributeKey<Long> OUTPUT_TOKENS = longKey("gen_ai.usage.output_tokens");
  static final AttributeKey<Long> REASONING_TOKENS =
      longKey("gen_ai.usage.reasoning.output_tokens");
  static final AttributeKey<String> TOKEN_TYPE = stringKey("gen_ai.token.type");
  static final AttributeKey<String> CONVERSATION = stringKey("gen_ai.conversation.id");
  static final AttributeKey<String> AGENT_NAME = stringKey("gen_ai.agent.name");
  static final AttributeKey<String> TOOL_NAME = stringKey("gen_ai.tool.name");
  static final AttributeKey<String> TOOL_CALL = stringKey("gen_ai.tool.call.id");
  static final AttributeKey<String> TOOL_TYPE = stringKey("gen_ai.tool.type");
  static final AttributeKey<String> OUTPUT_MESSAGES = stringKey("gen_ai.output.messages");

  static final AttributeKey<String> RUN = stringKey("superstep.run.id");
  static final AttributeKey<String> THREAD = stringKey("superstep.thread.id");
  static final AttributeKey<String> GRAPH = stringKey("superstep.graph.name");
  static final AttributeKey<Boolean> RESUMED = booleanKey("superstep.resumed");
  static final AttributeKey<Boolean> PARTIAL = booleanKey("superstep.partial");
  static final AttributeKey<String> OUTCOME = stringKey("superstep.outcome");
  static final AttributeKey<String> STOP_REASON = stringKey("superstep.stop.reason");
  static final AttributeKey<List<String>> PATH = stringArrayKey("superstep.path");
  static final AttributeKey<Long> STEP = longKey("superstep.step");
  static final AttributeKey<String> NODE = stringKey("superstep.node.name");
  static final AttributeKey<String> TASK = stringKey("superstep.task.id");
  static final AttributeKey<Long> ATTEMPT = longKey("superstep.task.attempt");
  static final AttributeKey<Boolean> CACHED = booleanKey("superstep.task.cached");
  static final AttributeKey<String> HANDLED = stringKey("superstep.task.handled");
  static final AttributeKey<List<String>> CHANNELS = stringArrayKey("superstep.task.channels");
  static final AttributeKey<String> ARGUMENT = stringKey("superstep.task.argument");
  static final AttributeKey<String> WRITES = stringKey("superstep.task.writes");
  static final AttributeKey<Long> LEFT_OUT = longKey("superstep.spans.left_out");
  static final AttributeKey<Long> LOST = longKey("superstep.events.lost");

  static final AttributeKey<String> AGENT_RUN = stringKey("superstep.agent.run");
  static final AttributeKey<String> AGENT_PARENT = stringKey("superstep.agent.parent");
  static final AttributeKey<String> AGENT_ROOT = stringKey("superstep.agent.root");
  static final AttributeKey<String> AGENT_REASON = stringKey("superstep.agent.reason");
  static final AttributeKey<Long> MODEL_CALLS = longKey("superstep.agent.model_calls");
  static final AttributeKey<Long> TOOL_CALLS = longKey("superstep.agent.tool_calls");
  static final AttributeKey<Long> TURN = longKey("superstep.agent.turn");
  static final AttributeKey<String> MODEL_SOURCE = stringKey("superstep.model.source");
  static final AttributeKey<Boolean> ESTIMATED = booleanKey("superstep.usage.estimated");

  static final AttributeKey<String> INTERRUPT = stringKey("superstep.interrupt.id");
  static final AttributeKey<String> QUESTION = stringKey("superstep.interrupt.question");
  static final AttributeKey<String> PAYLOAD = stringKey("superstep.interrupt.payload");
  static final AttributeKey<String> ANSWER = stringKey("superstep.interrupt.answer");
  static final AttributeKey<String> POINT = stringKey("superstep.retry.point");
  static final AttributeKey<Double> DELAY = doubleKey("superstep.retry.delay");
  static final AttributeKey<String> MESSAGE = stringKey("superstep.error.message");
  static final AttributeKey<String> ERROR_OF = stringKey("superstep.error.of");
  static final AttributeKey<String> WHAT = stringKey("superstep.what");
  static final AttributeKey<Double> TOOK = doubleKey("superstep.took");
  static final AttributeKey<Long> BEFORE = longKey("superstep.tokens.before");
  static final AttributeKey<Long> AFTER = longKey("superstep.tokens.after");

  private AttributeKeys() {}

  /// Returns the key of a label that a caller attached to a run.
  static AttributeKey<String> label(String name) {
    return stringKey("superstep.label." + name);
  }
}
