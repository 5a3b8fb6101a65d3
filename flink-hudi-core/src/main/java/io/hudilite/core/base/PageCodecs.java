package io.hudilite.core.base;

import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Compression of pages in pure Java, so that neither Hadoop's codecs nor native libraries are
 * needed. Read: UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4_RAW; written: all of these but LZ4_RAW. For
 * one thread, as the buffers are used again.
 */
final class PageCodecs implements CompressionCodecFactory {
  private final Map<CompressionCodecName, BytesInputDecompressor> decompressors =
      new EnumMap<>(CompressionCodecName.class);

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    return switch (codec) {
      case UNCOMPRESSED -> new PlainCompressor();
      case SNAPPY -> new BlockCompressor(codec, new SnappyCompressor());
      case ZSTD -> new BlockCompressor(codec, new ZstdCompressor());
      case GZIP -> new GzipCompressor();
      default -> throw new IllegalArgumentException("Pages are not written as " + codec);
    };
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    return decompressors.computeIfAbsent(codec, PageCodecs::openDecompressor);
  }

  private static BytesInputDecompressor openDecompressor(CompressionCodecName codec) {
    return switch (codec) {
      case UNCOMPRESSED -> new PlainDecompressor();
      case SNAPPY ->
          new BlockDecompressor(new SnappyDecompressor()) {
            @Override
            long declaredSize(byte[] input, int offset, int length) {
              return SnappyDecompressor.getUncompressedLength(input, offset);
            }
          };
      case ZSTD ->
          new BlockDecompressor(new ZstdDecompressor()) {
            @Override
            long declaredSize(byte[] input, int offset, int length) {
              return ZstdDecompressor.getDecompressedSize(input, offset, length);
            }
          };
      case LZ4_RAW ->
          new BlockDecompressor(new Lz4Decompressor()) {
            @Override
            long declaredSize(byte[] input, int offset, int length) {
              return -1;
            }
          };
      case GZIP -> new GzipDecompressor();
      default ->
          throw new IllegalArgumentException(
              "Compression "
                  + codec
                  + " is not supported; UNCOMPRESSED, SNAPPY, GZIP, ZSTD and LZ4_RAW are");
    };
  }

  @Override
  public void release() {
    decompressors.clear();
  }

  private static final class PlainCompressor implements BytesInputCompressor {
    @Override
    public BytesInput compress(BytesInput bytes) {
      return bytes;
    }

    @Override
    public CompressionCodecName getCodecName() {
      return CompressionCodecName.UNCOMPRESSED;
    }

    @Override
    public void release() {}
  }

  private static final class BlockCompressor implements BytesInputCompressor {
    private final CompressionCodecName codec;
    private final Compressor compressor;
    private byte[] output = new byte[0];

    BlockCompressor(CompressionCodecName codec, Compressor compressor) {
      this.codec = codec;
      this.compressor = compressor;
    }

    /** The result is valid until the next call: Parquet copies it at once. */
    @Override
    public BytesInput compress(BytesInput bytes) throws IOException {
      byte[] input = bytes.toByteArray();
      int most = compressor.maxCompressedLength(input.length);
      if (output.length < most) {
        output = new byte[most];
      }
      int length = compressor.compress(input, 0, input.length, output, 0, output.length);
      return BytesInput.from(output, 0, length);
    }

    @Override
    public CompressionCodecName getCodecName() {
      return codec;
    }

    @Override
    public void release() {
      output = new byte[0];
    }
  }

  private static final class GzipCompressor implements BytesInputCompressor {
    @Override
    public BytesInput compress(BytesInput bytes) throws IOException {
      ByteArrayOutputStream output = new ByteArrayOutputStream((int) (bytes.size() / 2) + 64);
      try (GZIPOutputStream gzip = new GZIPOutputStream(output, 1 << 13)) {
        bytes.writeAllTo(gzip);
      }
      return BytesInput.from(output.toByteArray());
    }

    @Override
    public CompressionCodecName getCodecName() {
      return CompressionCodecName.GZIP;
    }

    @Override
    public void release() {}
  }

  /** Decompresses into a new array for each page, since values point into it. */
  private abstract static class ArrayDecompressor implements BytesInputDecompressor {

    /** Fills an array of exactly {@code size} bytes. */
    abstract byte[] decompress(byte[] input, int offset, int length, int size) throws IOException;

    @Override
    public final BytesInput decompress(BytesInput bytes, int size) throws IOException {
      if (size < 0) {
        throw new IOException("Page of %d bytes".formatted(size));
      }
      ByteBuffer input = bytes.toByteBuffer(); // pages lie in an array, which is not copied
      return BytesInput.from(
          input.hasArray()
              ? decompress(
                  input.array(), input.arrayOffset() + input.position(), input.remaining(), size)
              : decompress(bytes.toByteArray(), 0, input.remaining(), size));
    }

    @Override
    public final void decompress(
        ByteBuffer input, int compressedSize, ByteBuffer output, int uncompressedSize)
        throws IOException {
      byte[] compressed = new byte[compressedSize];
      input.get(compressed);
      output.put(decompress(compressed, 0, compressedSize, uncompressedSize));
    }

    @Override
    public void release() {}

    static IOException wrongSize(long found, int declared) {
      return new IOException(
          "Page holds %d bytes, but its header says %d".formatted(found, declared));
    }
  }

  private static final class PlainDecompressor extends ArrayDecompressor {
    @Override
    byte[] decompress(byte[] input, int offset, int length, int size) throws IOException {
      if (length != size) {
        throw wrongSize(length, size);
      }
      return length == input.length ? input : Arrays.copyOfRange(input, offset, offset + length);
    }
  }

  private abstract static class BlockDecompressor extends ArrayDecompressor {
    private final Decompressor decompressor;

    BlockDecompressor(Decompressor decompressor) {
      this.decompressor = decompressor;
    }

    /** The size that the compressed bytes state, checked before memory is taken; -1 if none. */
    abstract long declaredSize(byte[] input, int offset, int length);

    @Override
    byte[] decompress(byte[] input, int offset, int length, int size) throws IOException {
      try {
        if (size == 0 && length == 0) {
          return new byte[0];
        }
        long declared = declaredSize(input, offset, length);
        if (declared >= 0 && declared != size) {
          throw wrongSize(declared, size);
        }
        byte[] output = new byte[size];
        int found = decompressor.decompress(input, offset, length, output, 0, size);
        if (found != size) {
          throw wrongSize(found, size);
        }
        return output;
      } catch (RuntimeException e) {
        throw new IOException(
            "Page of %d compressed bytes cannot be decompressed".formatted(length), e);
      }
    }
  }

  private static final class GzipDecompressor extends ArrayDecompressor {
    @Override
    byte[] decompress(byte[] input, int offset, int length, int size) throws IOException {
      try (GZIPInputStream gzip =
          new GZIPInputStream(new ByteArrayInputStream(input, offset, length), 1 << 13)) {
        byte[] output = gzip.readNBytes(size);
        if (output.length != size || gzip.read() >= 0) {
          throw wrongSize(output.length, size);
        }
        return output;
      }
    }
  }
}
