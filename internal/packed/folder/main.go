// Program folder packs the files of a folder: go run ./internal/packed/folder FOLDER FILE
package main

import (
	"log"
	"os"

	"github.com/maquininha/maquininha/internal/packed"
)

func main() {
	texts, err := packed.Folder(os.DirFS(os.Args[1]))
	if err != nil {
		log.Fatal(err)
	}
	file, err := packed.Pack(texts)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[2], file, 0o644); err != nil {
		log.Fatal(err)
	}
}
