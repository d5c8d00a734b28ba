package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;

/// A list of what another codec stores.
record ListCodec<T>(Codec<T> item) implements Codec<List<T>> {
  private static final Codec<List<Json>> JSON = Codec.listOf(Json.class);

  @Override
  public Json encode(List<T> value) {
    return JSON.encode(value.stream().map(item::encode).toList());
  }

  @Override
  public List<T> decode(Json json) {
    var values = new ArrayList<T>();
    for (var element : JSON.decode(json)) values.add(item.decode(element));
    return values;
  }

  @Override
  public String type() {
    return "list<" + item.type() + ">";
  }

  @Override
  public String shape() {
    return item.shape();
  }
}
