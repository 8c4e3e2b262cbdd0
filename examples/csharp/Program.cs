// Uma venda inteira em C# (.NET 8), sem pacotes: abre, lança itens, pergunta o CPF, cobra, finaliza e imprime.
using System.Globalization;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;

try
{
    await new Caixa().Vender();
    return 0;
}
catch (Exception erro) when (erro is Recusado or SemResposta)
{
    Console.Error.WriteLine(erro.Message);
    return 1;
}

/// <summary>O terminal respondeu, e não foi um sucesso.</summary>
class Recusado(int status, string mensagem) : Exception(mensagem)
{
    public int Status => status;
}

/// <summary>A conexão falhou: o pedido pode ter sido atendido ou não.</summary>
class SemResposta(string mensagem, Exception? causa = null) : Exception(mensagem, causa);

class Caixa
{
    readonly HttpClient http;

    public Caixa()
    {
        // Perguntas e pagamentos esperam pela pessoa: sem limite no total (o padrão é 100 s), só na conexão.
        http = new HttpClient(new SocketsHttpHandler { ConnectTimeout = TimeSpan.FromSeconds(10) })
        {
            BaseAddress = new Uri(Ambiente("MAQUININHA_URL", "http://localhost:9050")),
            Timeout = Timeout.InfiniteTimeSpan,
        };
        var credenciais = Ambiente("MAQUININHA_USERNAME", "admin") + ":" + Ambiente("MAQUININHA_PASSWORD", "");
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes(credenciais)));
    }

    static string Ambiente(string nome, string padrao) =>
        Environment.GetEnvironmentVariable(nome) is { Length: > 0 } valor ? valor : padrao;

    async Task<JsonElement> Enviar(HttpMethod metodo, string caminho, object? corpo = null)
    {
        using var pedido = new HttpRequestMessage(metodo, caminho);
        if (corpo is not null)
        {
            pedido.Content = JsonContent.Create(corpo); // decimal vai exato: 54.24m é escrito 54.24
        }
        int status;
        JsonElement resposta;
        try
        {
            using var recebida = await http.SendAsync(pedido);
            status = (int)recebida.StatusCode;
            resposta = await recebida.Content.ReadFromJsonAsync<JsonElement>();
        }
        catch (Exception erro) when (erro is HttpRequestException or IOException or JsonException)
        {
            throw new SemResposta(erro.Message, erro);
        }
        return status == 200 ? resposta : throw new Recusado(status, Texto(resposta, "message"));
    }

    static string Texto(JsonElement objeto, string campo) => objeto.GetProperty(campo).GetString() ?? "";

    /// <summary>Ocupado (503) recusa antes de fazer qualquer coisa: é seguro tentar de novo.</summary>
    async Task<JsonElement> Pedir(string caminho, object? corpo = null)
    {
        for (var vez = 1; ; vez++)
        {
            try
            {
                return await Enviar(HttpMethod.Post, caminho, corpo);
            }
            catch (Recusado erro) when (erro.Status == 503 && vez < 60)
            {
                await Task.Delay(1000);
            }
        }
    }

    /// <summary>Cobra no máximo uma vez: se a resposta se perde, pergunta pela referência antes de enviar de novo.</summary>
    async Task<JsonElement> Cobrar(string referencia, object cobranca)
    {
        var postar = true;
        for (var vez = 0; vez < 300; vez++)
        {
            try
            {
                var transacao = postar
                    ? await Enviar(HttpMethod.Post, "/transaction", cobranca)
                    : await Enviar(HttpMethod.Get, "/transaction/" + Uri.EscapeDataString(referencia));
                switch (Texto(transacao.GetProperty("details"), "status"))
                {
                    case "approved": return transacao;
                    case "pending": break;
                    default: throw new Recusado(403, Texto(transacao, "message"));
                }
            }
            catch (SemResposta)
            {
                postar = false;
            }
            catch (Recusado erro) when (erro.Status == 404 && !postar)
            {
                postar = true; // nunca chegou, ou espera a vez: com a mesma referência é seguro repetir
            }
            catch (Recusado erro) when (erro.Status >= 500)
            {
                postar = false; // ocupado ou desfecho desconhecido: primeiro olha
            }
            await Task.Delay(1000);
        }
        throw new SemResposta("situação desconhecida: confira mais tarde pela referência, não cobre com outra");
    }

    public async Task Vender()
    {
        await Pedir("/sale", new { sellerName = "Bruno" });
        await Pedir("/sale/item", new { id = "1", code = "7891000100103", description = "Café 500 g", quantity = 2m, unitPrice = 18.90m, total = 37.80m });
        await Pedir("/sale/item", new { id = "2", code = "7896004000855", description = "Pão de queijo kg", quantity = 0.412m, unitPrice = 39.90m, total = 16.44m });
        var total = 37.80m + 16.44m;

        var cpf = "não informado";
        try
        {
            var resposta = await Pedir("/ask", new
            {
                parameters = new { showCancelButton = true, buttonCancelText = "Sem CPF" },
                question = new { type = "CPF", question = "CPF na nota?" },
            });
            cpf = Texto(resposta, "value");
        }
        catch (Recusado erro) when (erro.Status == 409)
        {
            // preferiu não informar
        }

        // Única por cobrança; num PDV de verdade, grave-a antes de cobrar.
        var referencia = $"pedido-{Guid.NewGuid()}";
        JsonElement paga;
        try
        {
            paga = await Cobrar(referencia, new { tPag = "03", amount = total, referenceId = referencia });
        }
        catch (Recusado erro)
        {
            await Pedir("/sale/cancel");
            throw new Recusado(erro.Status, $"Pagamento não aprovado ({referencia}): {erro.Message}");
        }

        await Pedir("/sale/payment", new { tPag = "credit", value = total });
        await Pedir("/sale/finalize", new { message = "Obrigado, volte sempre!" });
        var reais = total.ToString("0.00", CultureInfo.InvariantCulture).Replace('.', ',');
        await Pedir("/print/text", new object[]
        {
            new { text = new { value = "Recibo", size = 24, bold = true, align = "center" } },
            new { line = new { divider = true } },
            new { text = new { value = $"Total R$ {reais}" } },
            new { text = new { value = $"CPF {cpf}" } },
            new { text = new { value = $"NSU {Texto(paga, "nsu")}" } },
        });
        Console.WriteLine($"Venda concluída: R$ {reais}, NSU {Texto(paga, "nsu")}, CPF {cpf}");
    }
}
