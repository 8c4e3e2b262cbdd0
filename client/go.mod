module github.com/maquininha/maquininha/client

go 1.23
