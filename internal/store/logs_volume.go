package store

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/maquininha/maquininha/internal/fold"
	"github.com/maquininha/maquininha/internal/logbook"
)

// Log entries are found without an index over their text. Ids are cut into
// chunks, chunks are bound into volumes, and a volume has a signature: a Bloom
// filter for each of its chunks, over the pieces of two, three and four letters
// ("grams") of the folded text, laid out sideways. Word h of the signature holds one bit for
// each chunk, set when the chunk has a gram that hashes to h. A search needs one
// word a gram, not whole filters: some tens of bytes for eight thousand entries.
//
// Four letters are what tells UUIDs and numbers apart (nearly every three hex
// digits occur in nearly every chunk); the shorter ones serve shorter needles.
//
// Chunks and volumes follow from the id alone, so gaps between ids are harmless.
const (
	chunkBits    = 7
	chunkSize    = 1 << chunkBits // ids in a chunk
	volumeBits   = chunkBits + 6
	volumeSize   = 1 << volumeBits // ids in a volume: 64 chunks, the bits of a word
	volumeChunks = 64

	// A volume starts this wide and is narrowed to what its text needs when it is
	// finished: 64 Ki bits hold a chunk of long entries at about one bit in eight.
	signatureWidth = 1 << 16
	// Narrowing stops before more bits than this would be set. Each gram lets a
	// wrong chunk pass with that probability; fewer bits read more wrong chunks,
	// more bits cost disk.
	signatureDensity = 0.15
)

func volumeOf(id int64) int64 { return id >> volumeBits }

// volume says which chunks of 8192 consecutive ids may hold what.
type volume struct {
	number    int64
	kinds     [logKinds]uint64        // the chunks that have entries of a kind
	times     [2 * volumeChunks]int64 // for each chunk: its earliest and its latest entry
	width     int                     // words in the signature, a power of two
	signature []uint64                // nil when the volume was read from disk
	folded    []byte                  // scratch
}

func newVolume(number int64) *volume {
	v := &volume{number: number, width: signatureWidth, signature: make([]uint64, signatureWidth)}
	for i := 0; i < len(v.times); i += 2 {
		v.times[i], v.times[i+1] = math.MaxInt64, math.MinInt64
	}
	return v
}

// add notes an entry. Noting one that then is not stored does no harm: a bit too
// many costs a look into the chunk, never a result.
func (v *volume) add(e *logbook.Entry, kind int) {
	chunk := int(e.ID>>chunkBits) % volumeChunks
	bit := uint64(1) << chunk
	v.kinds[kind] |= bit
	at := e.At.UnixMilli()
	v.times[2*chunk] = min(v.times[2*chunk], at)
	v.times[2*chunk+1] = max(v.times[2*chunk+1], at)
	v.addText(e.Message, bit)
	v.addText(e.Details, bit)
}

func (v *volume) addText(s string, bit uint64) {
	v.folded = fold.Append(v.folded[:0], s)
	text := v.folded
	signature := (*[signatureWidth]uint64)(v.signature) // spares the bounds checks
	for ; len(text) >= 4; text = text[1:] {
		four := binary.LittleEndian.Uint32(text)
		word, _ := gram(four)
		signature[word] |= bit
		word, other := gram(four | 0xFF000000)
		signature[word] |= bit
		signature[other] |= bit
		word, other = gram(four | 0xFFFF0000)
		signature[word] |= bit
		signature[other] |= bit
	}
	for ; len(text) >= 2; text = text[1:] {
		for n := 2; n <= len(text); n++ {
			word, other := gram(letters(text[:n]))
			signature[word] |= bit
			signature[other] |= bit
		}
	}
}

// letters packs up to four bytes, with 0xFF where there are fewer: no UTF-8 has it.
func letters[T string | []byte](s T) uint32 {
	packed := ^uint32(0)
	for i := min(len(s), 4) - 1; i >= 0; i-- {
		packed = packed<<8 | uint32(s[i])
	}
	return packed
}

// gram gives the words some letters belong to, in a signature of full width. Four
// letters use one; fewer use both, because a short needle has few grams, and were
// its only word also that of a common gram, every chunk would have to be read.
func gram(letters uint32) (word, other uint16) {
	hash := uint64(letters) * 0x9E3779B97F4A7C15
	return uint16(hash >> 48), uint16(hash >> 32)
}

// grams are the words that every chunk with the folded needle has its bit in, the
// most telling first.
func grams(needle string) []uint16 {
	var words []uint16
	// Neighbours share three letters and so tell nearly the same: take every
	// fourth first.
	for start := range 4 {
		for i := start; i+4 <= len(needle); i += 4 {
			word, _ := gram(letters(needle[i : i+4]))
			words = append(words, word)
		}
	}
	switch {
	case len(needle) == 2:
		word, other := gram(letters(needle))
		words = append(words, word, other)
	case len(needle) < 8:
		for i := 0; i+3 <= len(needle); i++ {
			word, other := gram(letters(needle[i : i+3]))
			words = append(words, word, other)
		}
	}
	return words[:min(len(words), 32)] // more would only confirm what these say
}

// narrowed is the signature halved for as long as it stays sparse.
func (v *volume) narrowed() []uint64 {
	var used uint64
	for _, chunks := range v.kinds {
		used |= chunks
	}
	most := signatureDensity * float64(bits.OnesCount64(used))
	words := slices.Clone(v.signature)
	for len(words) > 64 {
		half := len(words) / 2
		set := 0
		for i, word := range words[:half] {
			set += bits.OnesCount64(word | words[half+i])
		}
		if float64(set) > most*float64(half) {
			break
		}
		for i := range half {
			words[i] |= words[half+i]
		}
		words = words[:half]
	}
	return words
}

// chunks are those that may have entries of the wanted kinds and times.
func (v *volume) chunks(want *logSearch) uint64 {
	var found uint64
	for kind, chunks := range v.kinds {
		if want.kinds&(1<<kind) != 0 {
			found |= chunks
		}
	}
	for rest := found; rest != 0; rest &= rest - 1 {
		chunk := bits.TrailingZeros64(rest)
		if v.times[2*chunk] >= want.to || v.times[2*chunk+1] < want.from {
			found &^= 1 << chunk
		}
	}
	return found
}

const (
	signatureRowWords = 500 // what fits a database page of 4 KiB: one read gives any word
	signatureRowBits  = 10  // of a row's key, for the rows of a volume
)

// signatureRow says in which row of a volume's signature a word is, and at which byte.
func signatureRow(number int64, word int) (row int64, offset int) {
	return number<<signatureRowBits + int64(word/signatureRowWords), word % signatureRowWords * 8
}

// save writes a finished volume.
func (v *volume) save(tx *sql.Tx) error {
	words := v.narrowed()
	var kinds, times []byte
	for _, chunks := range v.kinds {
		kinds = binary.LittleEndian.AppendUint64(kinds, chunks)
	}
	for _, at := range v.times {
		times = binary.LittleEndian.AppendUint64(times, uint64(at))
	}
	if _, err := tx.Exec("INSERT INTO log_volume (number, width, kinds, times) VALUES (?,?,?,?)",
		v.number, len(words), kinds, times); err != nil {
		return err
	}
	insert, err := tx.Prepare("INSERT INTO log_signature (id, words) VALUES (?,?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	row, _ := signatureRow(v.number, 0)
	for part := range slices.Chunk(words, signatureRowWords) {
		blob := make([]byte, 0, 8*signatureRowWords)
		for _, word := range part {
			blob = binary.LittleEndian.AppendUint64(blob, word)
		}
		if _, err := insert.Exec(row, blob); err != nil {
			return err
		}
		row++
	}
	return nil
}

// decode takes what save wrote beside the signature.
func (v *volume) decode(kinds, times []byte) error {
	if len(kinds) > 8*len(v.kinds) || len(times) != 8*len(v.times) || v.width <= 0 || v.width&(v.width-1) != 0 {
		return fmt.Errorf("%w: log volume %d", ErrUnreadable, v.number)
	}
	clear(v.kinds[:])
	for i := 0; 8*i < len(kinds); i++ {
		v.kinds[i] = binary.LittleEndian.Uint64(kinds[8*i:])
	}
	for i := range v.times {
		v.times[i] = int64(binary.LittleEndian.Uint64(times[8*i:]))
	}
	return nil
}
