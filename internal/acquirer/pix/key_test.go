package pix

import "testing"

func TestFormsOfKeys(t *testing.T) {
	for key, want := range map[string]bool{
		"loja@exemplo.com.br": true, "+5581999990000": true, "123e4567-e12b-12d1-a456-426655440000": true, "52998224725": true, "11222333000181": true,
		"529.982.247-25": false, "52998224724": false, "81999990000": false, "loja": false, "": false,
	} {
		if IsKey(key) != want {
			t.Errorf("%q", key)
		}
	}
}
