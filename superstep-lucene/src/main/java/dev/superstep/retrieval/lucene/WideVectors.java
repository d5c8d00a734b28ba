package dev.superstep.retrieval.lucene;

import java.io.IOException;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.codecs.perfield.PerFieldKnnVectorsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/// Lucene's own format of vectors without its limit of 1,024 numbers, which many embedders pass. It
/// writes what Lucene would write, under Lucene's name, so that every Lucene reads it.
final class WideVectors extends KnnVectorsFormat {
  static final int DIMENSION_MAX = 8_192;

  private final KnnVectorsFormat lucenes;

  private WideVectors(KnnVectorsFormat lucenes) {
    super(lucenes.getName());
    this.lucenes = lucenes;
  }

  /// Lucene's codec with this format in it.
  static Codec codec() {
    var format = new WideVectors(new Lucene99HnswVectorsFormat());
    var vectors =
        new PerFieldKnnVectorsFormat() {
          @Override
          public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
            return format;
          }
        };
    var codec = Codec.getDefault();
    return new FilterCodec(codec.getName(), codec) {
      @Override
      public KnnVectorsFormat knnVectorsFormat() {
        return vectors;
      }
    };
  }

  @Override
  public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
    return lucenes.fieldsWriter(state);
  }

  @Override
  public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
    return lucenes.fieldsReader(state);
  }

  @Override
  public int getMaxDimensions(String field) {
    return DIMENSION_MAX;
  }
}
