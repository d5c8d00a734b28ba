package dev.superstep.catalog;

import dev.superstep.json.Codec;
import java.util.List;
import java.util.Optional;

/// A catalogue as JSON. What may be wrong with a word of it is text here, so that [CatalogReader]
/// can tell all of it at once; see `src/catalog/README.md` for what the words mean.
record CatalogJson(
    int schema, String date, List<SourceForm> sources, List<ProviderForm> providers) {
  static final Codec<CatalogJson> CODEC = Codec.of(CatalogJson.class);

  record SourceForm(String name, String version, String licence, String gives) {}

  record ProviderForm(
      String id,
      String currency,
      List<String> sources,
      List<String> hosts,
      List<ModelForm> models) {}

  record ModelForm(
      String id,
      Optional<List<String>> names,
      Optional<String> status,
      Optional<Integer> context,
      Optional<Integer> output,
      Optional<List<String>> has,
      Optional<List<String>> lacks,
      Optional<List<PeriodForm>> prices,
      Optional<List<String>> besides,
      Optional<List<String>> from) {}

  record PeriodForm(
      Optional<String> from,
      Optional<List<String>> daily,
      Optional<String> input,
      Optional<String> cached,
      Optional<String> write,
      Optional<String> output) {}
}
