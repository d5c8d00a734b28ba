package dev.superstep.model.vendor;

import static dev.superstep.model.ModelException.Kind.BAD_URL;

import dev.superstep.batch.BatchApi;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.BatchBodies;
import dev.superstep.model.wire.Endpoints;
import java.util.Set;

/// Opens the batch interfaces of vendors for [dev.superstep.batch.ModelBatches]: Anthropic's
/// message batches and OpenAI's batches of chat completions. Requests and replies are those of
/// [VendorModels].
public final class VendorBatches {
  /// The schemes that [#open] takes.
  public static final Set<String> PROVIDERS = Set.of("anthropic", "openai");

  private VendorBatches() {}

  /// Opens the batches of a model with the keys of this process. Sends nothing.
  ///
  /// @throws ModelException of kind BAD_URL, or of kind AUTH if the vendor's key is not set
  public static BatchApi open(ModelRef ref) {
    return open(ref, Environment.ofProcess());
  }

  /// Opens the batches of a model with the keys and base URLs of an environment. Sends nothing.
  ///
  /// @throws ModelException of kind BAD_URL, or of kind AUTH if the vendor's key is not set
  public static BatchApi open(ModelRef ref, Environment environment) {
    if (!PROVIDERS.contains(ref.provider())) {
      throw new ModelException(
          BAD_URL,
          "`%s` cannot be asked in batches here. Vendors that can: anthropic, openai."
              .formatted(ref.url()));
    }
    var endpoint = Endpoints.of(ref, environment);
    var vendor = VendorModels.vendor(ref);
    var headers = vendor.envelope(endpoint, false).headers();
    var http = new BatchHttp(new BatchBodies(endpoint, vendor.protocol()), headers);
    return ref.provider().equals("anthropic")
        ? new AnthropicBatches(http)
        : new OpenAiBatches(http);
  }
}
