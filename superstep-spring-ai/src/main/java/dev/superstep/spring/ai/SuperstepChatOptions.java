package dev.superstep.spring.ai;

import dev.superstep.model.ChatRequest;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;
import org.springframework.ai.model.tool.StructuredOutputChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/// The options of our models for Spring AI: what its options say, and by [Builder#request] what
/// they have no word for, such as a seed or how much a model thinks. Immutable.
///
/// ```java
/// var options =
///     SuperstepChatOptions.builder().request(asked -> asked.withEffort(Effort.HIGH)).build();
/// var response = model.call(new Prompt("Why?", options));
/// ```
public final class SuperstepChatOptions extends DefaultToolCallingChatOptions
    implements StructuredOutputChatOptions {
  private final @Nullable String outputSchema;
  private final UnaryOperator<ChatRequest> request;

  private SuperstepChatOptions(
      ToolCallingChatOptions base,
      @Nullable String outputSchema,
      UnaryOperator<ChatRequest> request) {
    super(
        base.getToolCallbacks(),
        base.getToolContext(),
        base.getModel(),
        base.getFrequencyPenalty(),
        base.getMaxTokens(),
        base.getPresencePenalty(),
        base.getStopSequences(),
        base.getTemperature(),
        base.getTopK(),
        base.getTopP());
    this.outputSchema = outputSchema;
    this.request = request;
  }

  /// Options that set nothing.
  public static Builder builder() {
    return new Builder();
  }

  /// The JSON Schema of the answer, or null if it is text.
  @Override
  public @Nullable String getOutputSchema() {
    return outputSchema;
  }

  /// The changes to a request that its other options have been applied to.
  public UnaryOperator<ChatRequest> request() {
    return request;
  }

  /// A builder that begins with these options.
  @Override
  public Builder mutate() {
    return new Builder()
        .model(getModel())
        .frequencyPenalty(getFrequencyPenalty())
        .presencePenalty(getPresencePenalty())
        .topK(getTopK())
        .maxTokens(getMaxTokens())
        .stopSequences(getStopSequences())
        .temperature(getTemperature())
        .topP(getTopP())
        .toolCallbacks(getToolCallbacks())
        .toolContext(getToolContext())
        .outputSchema(outputSchema)
        .request(request);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof SuperstepChatOptions that
        && Objects.equals(outputSchema, that.outputSchema)
        && request.equals(that.request);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), outputSchema);
  }

  @Override
  public String toString() {
    return "SuperstepChatOptions[model "
        + getModel()
        + (outputSchema == null ? "" : ", with a schema")
        + "]";
  }

  /// Builds options. Not safe for several threads.
  public static final class Builder extends DefaultToolCallingChatOptions.Builder<Builder>
      implements StructuredOutputChatOptions.Builder<Builder> {
    private static final UnaryOperator<ChatRequest> AS_IT_IS = UnaryOperator.identity();

    private @Nullable String schema;
    private UnaryOperator<ChatRequest> request = AS_IT_IS;

    private Builder() {}

    /// The JSON Schema of the answer; null for text.
    @Override
    public Builder outputSchema(@Nullable String jsonSchema) {
      schema = jsonSchema;
      return this;
    }

    /// Sets what is changed of each request after all other options.
    public Builder request(UnaryOperator<ChatRequest> change) {
      request = change;
      return this;
    }

    @Override
    public Builder combineWith(ChatOptions.Builder<?> other) {
      super.combineWith(other);
      if (other instanceof Builder that) {
        if (that.schema != null) schema = that.schema;
        if (!that.request.equals(AS_IT_IS)) request = that.request;
      } else if (other.build() instanceof StructuredOutputChatOptions that) {
        if (that.getOutputSchema() != null) schema = that.getOutputSchema();
      }
      return this;
    }

    @Override
    public SuperstepChatOptions build() {
      return new SuperstepChatOptions(super.build(), schema, request);
    }

    @Override
    public String toString() {
      return "SuperstepChatOptions.Builder" + (schema == null ? "" : "[with a schema]");
    }
  }
}
