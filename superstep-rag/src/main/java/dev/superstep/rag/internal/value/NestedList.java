package dev.superstep.rag.internal.value;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.List;
import java.util.stream.Collectors;

/// Lists whose elements a class cannot name, such as lists.
public record NestedList(Codec<Object> element) implements Codec<List<Object>> {
  @Override
  public Json encode(List<Object> value) {
    return Json.parse(
        value.stream()
            .map(each -> element.encode(each).text())
            .collect(Collectors.joining(",", "[", "]")));
  }

  @Override
  public List<Object> decode(Json json) {
    return Codec.listOf(Json.class).decode(json).stream().map(element::decode).toList();
  }

  @Override
  public String type() {
    return "list<" + element.type() + ">";
  }

  @Override
  public String shape() {
    return element.shape();
  }
}
