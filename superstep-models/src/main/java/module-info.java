/// Hosted models and model servers behind [dev.superstep.model.ChatModel]: OpenAI, Anthropic,
/// Google Gemini, Mistral, Ollama, and any server that speaks OpenAI's chat protocol.
///
/// Start at [dev.superstep.model.vendor.VendorModels].
@org.jspecify.annotations.NullMarked
module dev.superstep.models {
  requires transitive dev.superstep.agent;
  requires dev.superstep.models.wire;
  requires langchain4j.anthropic;
  requires langchain4j.core;
  requires langchain4j.google.ai.gemini;
  requires langchain4j.http.client;
  requires langchain4j.mistral.ai;
  requires langchain4j.ollama;
  requires langchain4j.open.ai;
  requires tools.jackson.databind;

  exports dev.superstep.model.vendor;

  provides dev.superstep.model.ModelProvider with
      dev.superstep.model.vendor.VendorModelProvider;
}
